package plumbline.testserver.analysis;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.elasticsearch.common.settings.Settings;

/** The {@code language} values of the {@code stemmer} and {@code snowball} token filters that this server has. */
final class Stemmers {
    private static final Map<String, UnaryOperator<TokenStream>> ENGLISH = Map.of(
        "english", PorterStemFilter::new,
        "light_english", KStemFilter::new,
        "minimal_english", EnglishMinimalStemFilter::new,
        "porter2", input -> new SnowballFilter(input, "English"),
        "possessive_english", EnglishPossessiveFilter::new);
    private static final Map<String, String> SNOWBALL = Map.of(
        "danish", "Danish",
        "finnish", "Finnish",
        "french", "French",
        "italian", "Italian",
        "norwegian", "Norwegian",
        "portuguese", "Portuguese",
        "russian", "Russian",
        "spanish", "Spanish",
        "swedish", "Swedish");
    private static final Set<String> SNOWBALL_NAMES = Set.of(
        "Danish", "English", "Finnish", "French", "Italian", "Norwegian", "Portuguese", "Russian", "Spanish", "Swedish");

    private Stemmers() {}

    /** @throws IllegalArgumentException for a language that this server does not have */
    static UnaryOperator<TokenStream> stemmer(Settings settings) {
        String language = settings.get("language", settings.get("name", "english"));
        if (ENGLISH.containsKey(language)) {
            return ENGLISH.get(language);
        }
        if (SNOWBALL.containsKey(language)) {
            return input -> new SnowballFilter(input, SNOWBALL.get(language));
        }
        throw new IllegalArgumentException("the test server's [stemmer] does not implement the language [" + language + "]");
    }

    /** @throws IllegalArgumentException for a language that this server does not have */
    static UnaryOperator<TokenStream> snowball(Settings settings) {
        String language = settings.get("language", "English");
        if (!SNOWBALL_NAMES.contains(language)) {
            throw new IllegalArgumentException("the test server's [snowball] does not implement the language [" + language + "]");
        }
        return input -> new SnowballFilter(input, language);
    }
}
