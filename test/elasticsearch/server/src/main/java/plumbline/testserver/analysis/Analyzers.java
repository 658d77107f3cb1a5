package plumbline.testserver.analysis;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.elasticsearch.index.analysis.Analysis;
import org.elasticsearch.index.analysis.AnalyzerProvider;
import org.elasticsearch.index.analysis.AnalyzerScope;
import org.elasticsearch.index.analysis.PreBuiltAnalyzerProviderFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.indices.analysis.PreBuiltCacheFactory.CachingStrategy;

/** Language analyzers, each Lucene's own class of that language. */
final class Analyzers {
    private record Language(
        CharArraySet stopWords, Set<String> parameters, BiFunction<CharArraySet, CharArraySet, Analyzer> create) {}

    private static final Map<String, Language> LANGUAGES = Map.ofEntries(
        stemming("danish", DanishAnalyzer.getDefaultStopSet(), DanishAnalyzer::new),
        stemming("dutch", DutchAnalyzer.getDefaultStopSet(), DutchAnalyzer::new),
        stemming("english", EnglishAnalyzer.getDefaultStopSet(), EnglishAnalyzer::new),
        stemming("finnish", FinnishAnalyzer.getDefaultStopSet(), FinnishAnalyzer::new),
        stemming("french", FrenchAnalyzer.getDefaultStopSet(), FrenchAnalyzer::new),
        stemming("german", GermanAnalyzer.getDefaultStopSet(), GermanAnalyzer::new),
        stemming("italian", ItalianAnalyzer.getDefaultStopSet(), ItalianAnalyzer::new),
        stemming("norwegian", NorwegianAnalyzer.getDefaultStopSet(), NorwegianAnalyzer::new),
        stemming("portuguese", PortugueseAnalyzer.getDefaultStopSet(), PortugueseAnalyzer::new),
        stemming("russian", RussianAnalyzer.getDefaultStopSet(), RussianAnalyzer::new),
        stemming("spanish", SpanishAnalyzer.getDefaultStopSet(), SpanishAnalyzer::new),
        stemming("swedish", SwedishAnalyzer.getDefaultStopSet(), SwedishAnalyzer::new),
        Map.entry("cjk", new Language(
            CJKAnalyzer.getDefaultStopSet(), Set.of("stopwords"), (stopWords, notStemmed) -> new CJKAnalyzer(stopWords))));

    private Analyzers() {}

    private static Map.Entry<String, Language> stemming(
        String name, CharArraySet stopWords, BiFunction<CharArraySet, CharArraySet, Analyzer> create) {
        return Map.entry(name, new Language(stopWords, Set.of("stopwords", "stem_exclusion"), create));
    }

    static Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> configurable() {
        Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> providers = new TreeMap<>();
        LANGUAGES.forEach((type, language) -> providers.put(type, (index, environment, name, settings) -> {
            Parameters.only(type, settings, language.parameters());
            return provider(name, language.create().apply(
                Analysis.parseStopWords(environment, settings, language.stopWords()),
                Analysis.parseStemExclusion(settings, CharArraySet.EMPTY_SET)));
        }));
        return providers;
    }

    static List<PreBuiltAnalyzerProviderFactory> preBuilt() {
        return LANGUAGES.entrySet().stream()
            .map(entry -> new PreBuiltAnalyzerProviderFactory(entry.getKey(), CachingStrategy.ONE,
                () -> entry.getValue().create().apply(entry.getValue().stopWords(), CharArraySet.EMPTY_SET)))
            .toList();
    }

    private static AnalyzerProvider<Analyzer> provider(String name, Analyzer analyzer) {
        return new AnalyzerProvider<>() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public AnalyzerScope scope() {
                return AnalyzerScope.INDEX;
            }

            @Override
            public Analyzer get() {
                return analyzer;
            }
        };
    }
}
