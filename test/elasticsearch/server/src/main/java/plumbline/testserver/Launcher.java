package plumbline.testserver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/**
 * {@code Launcher HOME DATA_DIR HTTP_PORT [key=value ...]} runs one node on 127.0.0.1 until SIGTERM or until its standard
 * input closes, so that it never outlives the process that started it. Port 0 takes a free one; Elasticsearch writes the
 * bound address to DATA_DIR/logs/http.ports once it serves. The node is built through its public constructor: no
 * bootstrap checks, no entitlements, no security.
 */
public final class Launcher {
    private static final String NODE_NAME = "test-node";
    private static final int CLOSE_SECONDS = 20;

    private Launcher() {}

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        Path data = Path.of(arguments[1]).toAbsolutePath();
        Settings.Builder settings = Settings.builder()
            .put("path.home", home.toString())
            .put("path.data", data.resolve("data").toString())
            .put("path.logs", Files.createDirectories(data.resolve("logs")).toString())
            .put("cluster.name", "plumbline-test")
            .put("node.name", NODE_NAME)
            .put("node.portsfile", true)
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[2])
            .put("transport.port", 0)
            .put("cluster.routing.allocation.disk.threshold_enabled", false);
        for (int i = 3; i < arguments.length; i++) {
            String[] setting = arguments[i].split("=", 2);
            settings.put(setting[0], setting[1]);
        }

        LogConfigurator.setNodeName(NODE_NAME);
        LogConfigurator.configureWithoutConfig(Settings.builder().put("logger.level", "INFO").build());
        LogConfigurator.configureESLogging();

        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), home.resolve("config"), () -> NODE_NAME);
        Node node = new Node(
            environment,
            PluginsLoader.createPluginsLoader(
                PluginsLoader.loadModulesBundles(environment.modulesDir(), false), Set.of(), Map.of(), false));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node), "close-node"));
        node.start();
        exitWhenInputCloses();
        new CountDownLatch(1).await();
    }

    private static void close(Node node) {
        try {
            node.prepareForClose();
            node.close();
            node.awaitClose(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("the node did not close cleanly", e);
        }
    }

    private static void exitWhenInputCloses() {
        Thread watcher = new Thread(() -> {
            try {
                System.in.transferTo(java.io.OutputStream.nullOutputStream());
            } catch (IOException e) {
                System.err.println("standard input failed, stopping: " + e);
            }
            System.exit(0);
        }, "parent-watcher");
        watcher.setDaemon(true);
        watcher.start();
    }
}
