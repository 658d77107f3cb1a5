package plumbline.testserver.analysis;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.LetterTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.email.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenizer;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.analysis.path.PathHierarchyTokenizer;
import org.apache.lucene.analysis.pattern.PatternTokenizer;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.analysis.PreConfiguredTokenizer;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;

/** Tokenizers besides {@code standard}, which Elasticsearch's core has. */
final class Tokenizers {
    private static final Map<String, Supplier<Tokenizer>> PLAIN = Map.of(
        "keyword", KeywordTokenizer::new,
        "letter", LetterTokenizer::new,
        "path_hierarchy", PathHierarchyTokenizer::new,
        "uax_url_email", UAX29URLEmailTokenizer::new,
        "whitespace", WhitespaceTokenizer::new);

    private Tokenizers() {}

    static Map<String, AnalysisProvider<TokenizerFactory>> configurable() {
        return Map.of(
            "keyword", plain("keyword"),
            "letter", plain("letter"),
            "path_hierarchy", plain("path_hierarchy"),
            "uax_url_email", plain("uax_url_email"),
            "whitespace", tokenizer("whitespace", Set.of("max_token_length"), (index, settings) -> {
                int length = settings.getAsInt("max_token_length", 255);
                return () -> new WhitespaceTokenizer(length);
            }),
            "pattern", tokenizer("pattern", Set.of("pattern", "group"), (index, settings) -> {
                Pattern pattern = Pattern.compile(settings.get("pattern", "\\W+"));
                int group = settings.getAsInt("group", -1);
                return () -> new PatternTokenizer(pattern, group);
            }),
            "edge_ngram", tokenizer("edge_ngram", Grams.LIMITS, (index, settings) -> {
                Grams grams = Grams.edge(settings);
                return () -> new EdgeNGramTokenizer(grams.min(), grams.max());
            }),
            "ngram", tokenizer("ngram", Grams.LIMITS, (index, settings) -> {
                Grams grams = Grams.anywhere(index, settings);
                return () -> new NGramTokenizer(grams.min(), grams.max());
            }));
    }

    static List<PreConfiguredTokenizer> preConfigured() {
        return PLAIN.entrySet().stream()
            .map(entry -> PreConfiguredTokenizer.singleton(entry.getKey(), entry.getValue()))
            .toList();
    }

    private static AnalysisProvider<TokenizerFactory> plain(String type) {
        return tokenizer(type, Set.of(), (index, settings) -> PLAIN.get(type));
    }

    private static AnalysisProvider<TokenizerFactory> tokenizer(
        String type, Set<String> parameters, BiFunction<IndexSettings, Settings, Supplier<Tokenizer>> configure) {
        return (index, environment, name, settings) ->
            TokenizerFactory.newFactory(name, configure.apply(index, Parameters.only(type, settings, parameters)));
    }
}
