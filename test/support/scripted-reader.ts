import type { Answer } from './provider-server/answers.ts';
import type { ProviderRequest } from './provider-server/request.ts';
import { sampleQuestions } from './sample-questions.ts';

interface Source {
  id: string;
  text: string;
}

/**
 * A scripted model that reads what it is given as an attentive reader would who knows which facts each sample question asks for: it grades by them,
 * answers from the sources that hold them in its own order, and says what it does not find. It never answers what it was not given.
 */
export function scriptedReader(request: ProviderRequest): Answer | undefined {
  const facts = factsFor(request.user);
  const sources = sourcesIn(request.user);
  const aspects = aspectsIn(request.user);
  const holding = ({ text }: Source) => facts.filter((fact) => text.includes(fact));
  const serves = (found: string[]) =>
    facts.length === aspects.length ? aspects.filter((_, i) => found.includes(facts[i] ?? '')) : aspects.slice(0, 1);
  switch (request.schemaName) {
    case 'grade':
      return {
        says: {
          grades: sources.map((source) => {
            const found = holding(source);
            return found.length > 0
              ? { id: source.id, score: 0.95, finding: 'full', aspects: serves(found) }
              : { id: source.id, score: 0.05, finding: 'none', aspects: [] };
          }),
        },
      };
    case 'rewrite':
      return { says: { query: questionIn(request.user).replace(/[?？]/g, '').split(/\s+/).slice(0, 12).join(' ') } };
    case 'decompose':
      return { says: { subQuestions: [] } };
    case 'answer': {
      const telling = sources.filter((source) => holding(source).length > 0);
      const answered = new Set(telling.flatMap((source) => serves(holding(source))));
      const statements = telling.map(({ id, text }) => ({ text: text.split('\n').at(-1) ?? text, sources: [id] }));
      return { says: { statements, unanswered: aspects.filter((id) => !answered.has(id)) }, pieces: 12 };
    }
    case 'check':
      return {
        says: {
          verdicts: [...request.user.matchAll(/^(\d+) \(c/gm)].map(([, n]) => ({
            statement: Number(n),
            supported: true,
            reason: 'the quote says so',
          })),
        },
      };
    default:
      return undefined;
  }
}

function factsFor(prompt: string): string[] {
  const question = questionIn(prompt);
  const sample = sampleQuestions.find((candidate) => candidate.question === question);
  return sample?.facts ?? [];
}

function questionIn(prompt: string): string {
  return /<question-\w+>\n([\s\S]*?)\n<\/question-/.exec(prompt)?.[1] ?? '';
}

function sourcesIn(prompt: string): Source[] {
  return [...prompt.matchAll(/<document-\w+ id="(\w+)">\n([\s\S]*?)\n<\/document-/g)].map(([, id = '', text = '']) => ({
    id,
    text,
  }));
}

function aspectsIn(prompt: string): string[] {
  const lines = /<aspects-\w+>\n([\s\S]*?)\n<\/aspects-/.exec(prompt)?.[1] ?? '';
  return [...lines.matchAll(/^(a\d): /gm)].map(([, id = '']) => id);
}
