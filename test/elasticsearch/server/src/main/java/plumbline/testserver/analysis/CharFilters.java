package plumbline.testserver.analysis;

import java.io.Reader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.charfilter.HTMLStripCharFilter;
import org.apache.lucene.analysis.charfilter.MappingCharFilter;
import org.apache.lucene.analysis.charfilter.NormalizeCharMap;
import org.apache.lucene.analysis.pattern.PatternReplaceCharFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.CharFilterFactory;
import org.elasticsearch.index.analysis.NormalizingCharFilterFactory;
import org.elasticsearch.index.analysis.PreConfiguredCharFilter;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;

/** Char filters; those that replace single characters also work in a normalizer. */
final class CharFilters {
    private CharFilters() {}

    static Map<String, AnalysisProvider<CharFilterFactory>> configurable() {
        return Map.of(
            "html_strip", (index, environment, name, settings) -> {
                Set<String> kept = Set.copyOf(Parameters.only("html_strip", settings, Set.of("escaped_tags")).getAsList("escaped_tags"));
                return new CharFilterFactory() {
                    @Override
                    public String name() {
                        return name;
                    }

                    @Override
                    public Reader create(Reader reader) {
                        return new HTMLStripCharFilter(reader, kept);
                    }
                };
            },
            "mapping", normalizing("mapping", Set.of("mappings"), CharFilters::mapping),
            "pattern_replace", normalizing("pattern_replace", Set.of("pattern", "replacement"), CharFilters::patternReplace));
    }

    static List<PreConfiguredCharFilter> preConfigured() {
        return List.of(PreConfiguredCharFilter.singleton("html_strip", false, HTMLStripCharFilter::new));
    }

    /** Rules read {@code "from => to"}; blanks around either side do not count. */
    private static UnaryOperator<Reader> mapping(Settings settings) {
        Parameters.required("mapping", settings, "mappings");
        NormalizeCharMap.Builder rules = new NormalizeCharMap.Builder();
        for (String rule : settings.getAsList("mappings")) {
            int arrow = rule.lastIndexOf("=>");
            if (arrow < 1) {
                throw new IllegalArgumentException("a [mapping] rule reads \"from => to\", not \"" + rule + "\"");
            }
            rules.add(rule.substring(0, arrow).strip(), rule.substring(arrow + 2).strip());
        }
        NormalizeCharMap map = rules.build();
        return reader -> new MappingCharFilter(map, reader);
    }

    private static UnaryOperator<Reader> patternReplace(Settings settings) {
        Pattern pattern = Pattern.compile(Parameters.required("pattern_replace", settings, "pattern"));
        String replacement = settings.get("replacement", "");
        return reader -> new PatternReplaceCharFilter(pattern, replacement, reader);
    }

    private static AnalysisProvider<CharFilterFactory> normalizing(
        String type, Set<String> parameters, Function<Settings, UnaryOperator<Reader>> configure) {
        return AnalysisPlugin.requiresAnalysisSettings((index, environment, name, settings) -> {
            UnaryOperator<Reader> filter = configure.apply(Parameters.only(type, settings, parameters));
            return new NormalizingCharFilterFactory() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public Reader create(Reader reader) {
                    return filter.apply(reader);
                }
            };
        });
    }
}
