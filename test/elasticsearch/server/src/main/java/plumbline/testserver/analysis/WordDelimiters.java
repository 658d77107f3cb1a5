package plumbline.testserver.analysis;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterIterator;
import org.elasticsearch.common.settings.Settings;

/** The parameters of {@code word_delimiter_graph} with the documented defaults. */
final class WordDelimiters {
    private record Flag(int bit, boolean byDefault) {}

    private static final Map<String, Flag> FLAGS = Map.of(
        "catenate_all", new Flag(WordDelimiterGraphFilter.CATENATE_ALL, false),
        "catenate_numbers", new Flag(WordDelimiterGraphFilter.CATENATE_NUMBERS, false),
        "catenate_words", new Flag(WordDelimiterGraphFilter.CATENATE_WORDS, false),
        "generate_number_parts", new Flag(WordDelimiterGraphFilter.GENERATE_NUMBER_PARTS, true),
        "generate_word_parts", new Flag(WordDelimiterGraphFilter.GENERATE_WORD_PARTS, true),
        "ignore_keywords", new Flag(WordDelimiterGraphFilter.IGNORE_KEYWORDS, false),
        "preserve_original", new Flag(WordDelimiterGraphFilter.PRESERVE_ORIGINAL, false),
        "split_on_case_change", new Flag(WordDelimiterGraphFilter.SPLIT_ON_CASE_CHANGE, true),
        "split_on_numerics", new Flag(WordDelimiterGraphFilter.SPLIT_ON_NUMERICS, true),
        "stem_english_possessive", new Flag(WordDelimiterGraphFilter.STEM_ENGLISH_POSSESSIVE, true));
    static final Set<String> PARAMETERS = parameters();

    private WordDelimiters() {}

    static UnaryOperator<TokenStream> filter(Settings settings) {
        int flags = FLAGS.entrySet().stream()
            .filter(flag -> settings.getAsBoolean(flag.getKey(), flag.getValue().byDefault()))
            .mapToInt(flag -> flag.getValue().bit())
            .reduce(0, (left, right) -> left | right);
        boolean adjustOffsets = settings.getAsBoolean("adjust_offsets", true);
        CharArraySet whole = new CharArraySet(settings.getAsList("protected_words"), false);
        return input ->
            new WordDelimiterGraphFilter(input, adjustOffsets, WordDelimiterIterator.DEFAULT_WORD_DELIM_TABLE, flags, whole);
    }

    private static Set<String> parameters() {
        Set<String> names = new HashSet<>(FLAGS.keySet());
        names.add("adjust_offsets");
        names.add("protected_words");
        return Set.copyOf(names);
    }
}
