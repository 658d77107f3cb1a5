package plumbline.testserver.analysis;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.text.ParseException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.synonym.SolrSynonymParser;
import org.apache.lucene.analysis.synonym.SynonymGraphFilter;
import org.apache.lucene.analysis.synonym.SynonymMap;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.IndexService.IndexCreationContext;
import org.elasticsearch.index.analysis.CharFilterFactory;
import org.elasticsearch.index.analysis.CustomAnalyzer;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;

/** {@code synonym_graph} with rules given inline in Solr's format; they are analysed by what precedes the filter in its chain. */
final class SynonymGraph implements TokenFilterFactory {
    static final Set<String> PARAMETERS = Set.of("synonyms", "expand");

    private final String name;
    private final String rules;
    private final boolean expand;

    SynonymGraph(String name, Settings settings) {
        Parameters.required("synonym_graph", settings, "synonyms");
        this.name = name;
        this.rules = String.join("\n", settings.getAsList("synonyms"));
        this.expand = settings.getAsBoolean("expand", true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public TokenStream create(TokenStream input) {
        throw new IllegalStateException("[" + name + "] was not told the filters that precede it");
    }

    @Override
    public TokenFilterFactory getChainAwareTokenFilterFactory(
        IndexCreationContext context,
        TokenizerFactory tokenizer,
        List<CharFilterFactory> charFilters,
        List<TokenFilterFactory> preceding,
        Function<String, TokenFilterFactory> all) {
        SynonymMap synonyms;
        try (Analyzer chain = new CustomAnalyzer(
            tokenizer,
            charFilters.toArray(CharFilterFactory[]::new),
            preceding.stream().map(TokenFilterFactory::getSynonymFilter).toArray(TokenFilterFactory[]::new))) {
            synonyms = parse(chain);
        }
        return new TokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream input) {
                return synonyms.fst == null ? input : new SynonymGraphFilter(input, synonyms, false);
            }
        };
    }

    private SynonymMap parse(Analyzer chain) {
        try {
            SolrSynonymParser parser = new SolrSynonymParser(true, expand, chain);
            parser.parse(new StringReader(rules));
            return parser.build();
        } catch (ParseException e) {
            throw new IllegalArgumentException("bad rules in the synonym filter [" + name + "]", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
