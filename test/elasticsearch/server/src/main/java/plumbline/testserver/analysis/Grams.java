package plumbline.testserver.analysis;

import java.util.Set;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.IndexSettings;

/** Shortest and longest gram, in characters, with the defaults and the limit that the documentation gives. */
record Grams(int min, int max) {
    static final Set<String> LIMITS = Set.of("min_gram", "max_gram");

    static Grams edge(Settings settings) {
        return new Grams(settings.getAsInt("min_gram", 1), settings.getAsInt("max_gram", 2));
    }

    /** @throws IllegalArgumentException when the span exceeds {@code index.max_ngram_diff} */
    static Grams anywhere(IndexSettings index, Settings settings) {
        Grams grams = edge(settings);
        if (grams.max - grams.min > index.getMaxNgramDiff()) {
            throw new IllegalArgumentException(
                "max_gram - min_gram is " + (grams.max - grams.min) + ", index.max_ngram_diff allows " + index.getMaxNgramDiff());
        }
        return grams;
    }
}
