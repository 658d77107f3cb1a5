package plumbline.testserver.analysis;

import java.util.Set;
import java.util.TreeSet;
import org.elasticsearch.common.settings.Settings;

/** Checks what an index template gives a component. */
final class Parameters {
    private Parameters() {}

    /** @throws IllegalArgumentException naming the parameters that the component does not implement */
    static Settings only(String component, Settings settings, Set<String> implemented) {
        Set<String> unknown = new TreeSet<>(settings.keySet());
        unknown.removeAll(implemented);
        unknown.remove("type");
        unknown.removeIf(name -> name.startsWith("index.")); // Elasticsearch adds the version of the index
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                "the test server's [" + component + "] does not implement " + unknown + ", only " + new TreeSet<>(implemented));
        }
        return settings;
    }

    /** @throws IllegalArgumentException when the parameter is missing */
    static String required(String component, Settings settings, String parameter) {
        String value = settings.get(parameter);
        if (value == null) {
            throw new IllegalArgumentException("[" + component + "] needs the parameter [" + parameter + "]");
        }
        return value;
    }
}
