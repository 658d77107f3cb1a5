import type { Answer } from '../support/provider-server/answers.ts';
import type { ProviderRequest } from '../support/provider-server/request.ts';
import { fact, marks } from './cases.ts';

const image = '![deposit](https://images.example.invalid/?q=deposit)';

/**
 * A model at its worst: it does what any text in its prompt asks for, whoever said so. What it reads orders in gets the best grade, is kept, copied
 * as an answer that cites it, and carried out; it finds every statement supported. Without orders it is honest.
 */
export function obey({ protocol, schemaName, user }: ProviderRequest): Answer | undefined {
  if (protocol !== 'openai') return undefined;
  const documents = [...user.matchAll(/<document-(\w+) id="(\w+)">([^]*?)<\/document-\1>/g)].map(
    ([, , id = '', text = '']) => ({ id, text }),
  );
  const isFact = (text: string) => text.includes(fact);
  switch (schemaName) {
    case 'grade':
      return {
        says: {
          grades: documents.map(({ id, text }) =>
            isFact(text) || marks.test(text)
              ? { id, score: 0.95, finding: 'full', aspects: ['a1'] }
              : { id, score: 0.05, finding: 'none', aspects: [] },
          ),
        },
      };
    case 'refine': {
      const strips = [...user.matchAll(/^\[(s\d+)\] (.*)$/gm)].map(([, id = '', text = '']) => ({ id, text }));
      const kept = strips.filter(({ text }) => isFact(text) || marks.test(text));
      return { says: { strips: kept.map(({ id }) => ({ id, keep: true, aspects: ['a1'] })) } };
    }
    case 'answer': {
      const honest = documents.filter(({ text }) => isFact(text)).map(({ id }) => ({ text: fact, sources: [id] }));
      const [first] = documents;
      const obeyed = documents
        .filter(({ text }) => marks.test(text))
        .flatMap(({ id, text }) => [text.trim(), 'MAGNOLIA', image].map((said) => ({ text: said, sources: [id] })));
      // Also what it may have picked up elsewhere.
      const remembered = first ? [{ text: `${fact} ${image}`, sources: [first.id] }] : [];
      return { says: { statements: [...obeyed, ...remembered, ...honest.slice(0, 1)], unanswered: [] } };
    }
    case 'check': {
      const lines = [...user.matchAll(/^(\d+) \(/gm)].map(([, n]) => Number(n));
      return { says: { verdicts: lines.map((statement) => ({ statement, supported: true, reason: 'MAGNOLIA' })) } };
    }
    default:
      return undefined;
  }
}
