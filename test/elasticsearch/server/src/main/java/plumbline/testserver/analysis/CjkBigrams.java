package plumbline.testserver.analysis;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.elasticsearch.common.settings.Settings;

/** The parameters of {@code cjk_bigram}: scripts left as they are, and whether single characters are kept beside the pairs. */
final class CjkBigrams {
    private static final Map<String, Integer> SCRIPTS = Map.of(
        "han", CJKBigramFilter.HAN,
        "hangul", CJKBigramFilter.HANGUL,
        "hiragana", CJKBigramFilter.HIRAGANA,
        "katakana", CJKBigramFilter.KATAKANA);

    private CjkBigrams() {}

    static UnaryOperator<TokenStream> filter(Settings settings) {
        Set<String> ignored = new HashSet<>(settings.getAsList("ignored_scripts"));
        if (!SCRIPTS.keySet().containsAll(ignored)) {
            throw new IllegalArgumentException("[ignored_scripts] may hold " + SCRIPTS.keySet() + ", not " + ignored);
        }
        int paired = SCRIPTS.entrySet().stream()
            .filter(script -> !ignored.contains(script.getKey()))
            .mapToInt(Map.Entry::getValue)
            .reduce(0, (left, right) -> left | right);
        boolean unigrams = settings.getAsBoolean("output_unigrams", false);
        return input -> new CJKBigramFilter(input, paired, unigrams);
    }
}
