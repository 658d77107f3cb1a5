import { z } from 'zod';
import type { Analysis, Aspect } from '../contracts/question.ts';
import { identifiers } from '../text/identifiers.ts';
import { contentStems } from '../text/words.ts';

const maxAspects = 4;
/** In UTF-16 code units. */
const longestAspect = 300;

export const analysisAnswerSchema = z.object({
  kind: z.enum(['question', 'smalltalk', 'unclear']),
  language: z.string(),
  aspects: z.array(z.string()),
});

/**
 * The rules' analysis with a model's kind, language and aspects, each only where it is sound. Identifiers, quoted spans and the search text are always
 * those of the rules. A question that names a code is a question, whatever the model says.
 */
export function mergedAnalysis(byRules: Analysis, answer: z.infer<typeof analysisAnswerSchema>): Analysis {
  const kind = byRules.identifiers.length > 0 ? byRules.kind : answer.kind;
  return {
    ...byRules,
    kind,
    language: languageOf(byRules.language, answer.language),
    aspects: kind === 'question' ? aspectsOf(byRules, answer.aspects) : byRules.aspects,
  };
}

/** Scripts tell a language more surely than a model does; the function words of a short question tell less. */
function languageOf(byRules: string, named: string): string {
  const code = /^([a-z]{2,3})(?:-[A-Za-z0-9-]+)?$/.exec(named.trim())?.[1];
  return code === undefined || ['ja', 'ko', 'zh', 'ru', 'ar'].includes(byRules) ? byRules : code;
}

/** All of the model's aspects or all of the rules': a part of either could leave out what was asked. */
function aspectsOf(byRules: Analysis, texts: string[]): Aspect[] {
  const aspects = texts.map((text, index) => {
    const line = text.replace(/\s+/g, ' ').trim();
    return { id: `a${index + 1}`, text: line, terms: contentStems(line), subject: null };
  });
  const codes = aspects.map(({ text }) => identifiers(text));
  const sound =
    aspects.length > 0 &&
    aspects.length <= maxAspects &&
    aspects.every(
      ({ text, terms }, index) => text.length <= longestAspect && (terms.length > 0 || codes[index]?.length),
    ) &&
    codes.flat().every((code) => byRules.identifiers.includes(code)) &&
    byRules.identifiers.every((code) => codes.flat().includes(code));
  return sound ? aspects : byRules.aspects;
}
