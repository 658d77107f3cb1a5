package plumbline.testserver.analysis;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.core.DecimalDigitFilter;
import org.apache.lucene.analysis.core.FlattenGraphFilter;
import org.apache.lucene.analysis.core.UpperCaseFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.KeywordRepeatFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.miscellaneous.PatternKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.miscellaneous.SetKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.miscellaneous.TruncateTokenFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.apache.lucene.analysis.pattern.PatternReplaceFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.analysis.NormalizingTokenFilterFactory;
import org.elasticsearch.index.analysis.PreConfiguredTokenFilter;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;

/** Token filters besides {@code stop} and {@code shingle}, which Elasticsearch's core has. */
final class TokenFilters {
    /** Work on single characters, so a normalizer may use them too. */
    private static final Map<String, UnaryOperator<TokenStream>> PLAIN_NORMALIZING = Map.of(
        "cjk_width", CJKWidthFilter::new,
        "decimal_digit", DecimalDigitFilter::new,
        "lowercase", LowerCaseFilter::new,
        "trim", TrimFilter::new,
        "uppercase", UpperCaseFilter::new);
    private static final Map<String, UnaryOperator<TokenStream>> PLAIN = Map.of(
        "flatten_graph", FlattenGraphFilter::new,
        "keyword_repeat", KeywordRepeatFilter::new,
        "kstem", KStemFilter::new,
        "porter_stem", PorterStemFilter::new,
        "remove_duplicates", RemoveDuplicatesTokenFilter::new);

    private TokenFilters() {}

    static Map<String, AnalysisProvider<TokenFilterFactory>> configurable() {
        Map<String, AnalysisProvider<TokenFilterFactory>> filters = new TreeMap<>();
        PLAIN_NORMALIZING.forEach((type, filter) -> filters.put(type, normalizing(type, Set.of(), settings -> filter)));
        PLAIN.forEach((type, filter) -> filters.put(type, filter(type, Set.of(), settings -> filter)));
        filters.put("asciifolding", normalizing("asciifolding", Set.of("preserve_original"), TokenFilters::asciiFolding));
        filters.put("pattern_replace", AnalysisPlugin.requiresAnalysisSettings(
            normalizing("pattern_replace", Set.of("pattern", "replacement", "all"), TokenFilters::patternReplace)));
        filters.put("cjk_bigram", filter("cjk_bigram", Set.of("ignored_scripts", "output_unigrams"), CjkBigrams::filter));
        filters.put("keyword_marker", AnalysisPlugin.requiresAnalysisSettings(
            filter("keyword_marker", Set.of("keywords", "keywords_pattern", "ignore_case"), TokenFilters::keywordMarker)));
        filters.put("length", filter("length", Set.of("min", "max"), TokenFilters::length));
        filters.put("pattern_capture", AnalysisPlugin.requiresAnalysisSettings(
            filter("pattern_capture", Set.of("patterns", "preserve_original"), TokenFilters::patternCapture)));
        filters.put("snowball", filter("snowball", Set.of("language"), Stemmers::snowball));
        filters.put("stemmer", filter("stemmer", Set.of("language", "name"), Stemmers::stemmer));
        filters.put("truncate", filter("truncate", Set.of("length"), TokenFilters::truncate));
        filters.put("unique", filter("unique", Set.of("only_on_same_position"), TokenFilters::unique));
        filters.put("word_delimiter_graph", filter("word_delimiter_graph", WordDelimiters.PARAMETERS, WordDelimiters::filter));
        filters.put("edge_ngram", filter("edge_ngram", Set.of("min_gram", "max_gram", "preserve_original"),
            (index, settings) -> edgeGrams(settings)));
        filters.put("ngram", filter("ngram", Set.of("min_gram", "max_gram", "preserve_original"), TokenFilters::grams));
        filters.put("synonym_graph", AnalysisPlugin.requiresAnalysisSettings((index, environment, name, settings) ->
            new SynonymGraph(name, Parameters.only("synonym_graph", settings, SynonymGraph.PARAMETERS))));
        return filters;
    }

    static List<PreConfiguredTokenFilter> preConfigured() {
        Map<String, PreConfiguredTokenFilter> filters = new TreeMap<>();
        PLAIN_NORMALIZING.forEach((name, filter) -> filters.put(name, PreConfiguredTokenFilter.singleton(name, true, filter)));
        PLAIN.forEach((name, filter) -> filters.put(name, PreConfiguredTokenFilter.singleton(name, false, filter)));
        filters.remove("lowercase"); // the core has it
        filters.put("asciifolding", PreConfiguredTokenFilter.singleton("asciifolding", true, ASCIIFoldingFilter::new));
        filters.put("cjk_bigram", PreConfiguredTokenFilter.singleton("cjk_bigram", false, CJKBigramFilter::new));
        filters.put("stemmer", PreConfiguredTokenFilter.singleton("stemmer", false, PorterStemFilter::new));
        filters.put("unique", PreConfiguredTokenFilter.singleton("unique", false, UniqueTokenFilter::new));
        filters.put("word_delimiter_graph", PreConfiguredTokenFilter.singleton(
            "word_delimiter_graph", false, input -> WordDelimiters.filter(Settings.EMPTY).apply(input)));
        return List.copyOf(filters.values());
    }

    private static UnaryOperator<TokenStream> asciiFolding(Settings settings) {
        boolean preserveOriginal = settings.getAsBoolean("preserve_original", false);
        return input -> new ASCIIFoldingFilter(input, preserveOriginal);
    }

    private static UnaryOperator<TokenStream> patternReplace(Settings settings) {
        Pattern pattern = Pattern.compile(Parameters.required("pattern_replace", settings, "pattern"));
        String replacement = settings.get("replacement", "");
        boolean all = settings.getAsBoolean("all", true);
        return input -> new PatternReplaceFilter(input, pattern, replacement, all);
    }

    private static UnaryOperator<TokenStream> keywordMarker(Settings settings) {
        List<String> keywords = settings.getAsList("keywords");
        String pattern = settings.get("keywords_pattern");
        if (keywords.isEmpty() == (pattern == null)) {
            throw new IllegalArgumentException("[keyword_marker] needs either [keywords] or [keywords_pattern]");
        }
        if (pattern != null) {
            Pattern compiled = Pattern.compile(pattern);
            return input -> new PatternKeywordMarkerFilter(input, compiled);
        }
        CharArraySet words = new CharArraySet(keywords, settings.getAsBoolean("ignore_case", false));
        return input -> new SetKeywordMarkerFilter(input, words);
    }

    private static UnaryOperator<TokenStream> length(Settings settings) {
        int min = settings.getAsInt("min", 0);
        int max = settings.getAsInt("max", Integer.MAX_VALUE);
        return input -> new LengthFilter(input, min, max);
    }

    private static UnaryOperator<TokenStream> patternCapture(Settings settings) {
        Parameters.required("pattern_capture", settings, "patterns");
        Pattern[] patterns = settings.getAsList("patterns").stream().map(Pattern::compile).toArray(Pattern[]::new);
        boolean preserveOriginal = settings.getAsBoolean("preserve_original", true);
        return input -> new PatternCaptureGroupTokenFilter(input, preserveOriginal, patterns);
    }

    private static UnaryOperator<TokenStream> truncate(Settings settings) {
        int length = settings.getAsInt("length", 10);
        return input -> new TruncateTokenFilter(input, length);
    }

    private static UnaryOperator<TokenStream> unique(Settings settings) {
        return settings.getAsBoolean("only_on_same_position", false) ? RemoveDuplicatesTokenFilter::new : UniqueTokenFilter::new;
    }

    private static UnaryOperator<TokenStream> edgeGrams(Settings settings) {
        Grams grams = Grams.edge(settings);
        boolean preserveOriginal = settings.getAsBoolean("preserve_original", false);
        return input -> new EdgeNGramTokenFilter(input, grams.min(), grams.max(), preserveOriginal);
    }

    private static UnaryOperator<TokenStream> grams(IndexSettings index, Settings settings) {
        Grams grams = Grams.anywhere(index, settings);
        boolean preserveOriginal = settings.getAsBoolean("preserve_original", false);
        return input -> new NGramTokenFilter(input, grams.min(), grams.max(), preserveOriginal);
    }

    private static AnalysisProvider<TokenFilterFactory> filter(
        String type, Set<String> parameters, Function<Settings, UnaryOperator<TokenStream>> configure) {
        return filter(type, parameters, (index, settings) -> configure.apply(settings));
    }

    private static AnalysisProvider<TokenFilterFactory> filter(
        String type, Set<String> parameters, BiFunction<IndexSettings, Settings, UnaryOperator<TokenStream>> configure) {
        return (index, environment, name, settings) -> {
            UnaryOperator<TokenStream> filter = configure.apply(index, Parameters.only(type, settings, parameters));
            return new TokenFilterFactory() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public TokenStream create(TokenStream input) {
                    return filter.apply(input);
                }
            };
        };
    }

    private static AnalysisProvider<TokenFilterFactory> normalizing(
        String type, Set<String> parameters, Function<Settings, UnaryOperator<TokenStream>> configure) {
        return (index, environment, name, settings) -> {
            UnaryOperator<TokenStream> filter = configure.apply(Parameters.only(type, settings, parameters));
            return new NormalizingTokenFilterFactory() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public TokenStream create(TokenStream input) {
                    return filter.apply(input);
                }
            };
        };
    }
}
