export interface GroupsInput {
  /** As the publisher names them; null: the default. Empty: everybody of the tenant. */
  wanted: readonly string[] | null;
  allowWider: boolean;
  /** Groups that the asker of the question had. */
  asker: readonly string[];
  /** Groups of each document of the corpus that the answer cites (empty: everybody); null for one that is gone, or closed to the publisher. */
  cited: readonly (readonly string[] | null)[];
}

/** `wider`: some of these readers may not read all of the evidence. */
export type GroupsDecision =
  | { groups: string[]; wider: boolean }
  | { refused: 'Publication.GroupsNeeded' | 'Publication.GroupsTooWide'; message: string };

/**
 * Who may read a reviewed document. A document is open to the members of any one of its groups, and to everybody of the tenant where it has none; so
 * a reader is sure to be able to read all that an answer cites only if each of the reviewed document's groups is a group of every restricted
 * document cited. Those common groups are the bound. (A document that is gone counts as open to nobody: what its groups were is not known.)
 *
 * - Named groups must lie within the bound; others, and everybody, need `allowWider`.
 * - Default within a bound: those of its groups that the asker has; all of them where the asker has none.
 * - Default without a bound, since nothing restricted is cited: the asker's only group, or everybody where the asker has none. An asker with several
 *   groups may have asked with all of them in mind, and a document cannot be kept to those who have all: then groups must be named.
 */
export function publicationGroups({ wanted, allowWider, asker, cited }: GroupsInput): GroupsDecision {
  const bound = boundOf(cited);
  if (wanted === null) return byDefault(bound, asker);
  const groups = [...new Set(wanted)];
  const within = bound === null || (groups.length > 0 && groups.every((group) => bound.includes(group)));
  if (within || allowWider) return { groups, wider: !within };
  return tooWide(bound);
}

/** Null: nothing that is cited is restricted. */
function boundOf(cited: GroupsInput['cited']): string[] | null {
  const restricted = cited.filter((groups) => groups === null || groups.length > 0);
  const [first, ...others] = restricted.map((groups) => groups ?? []);
  if (first === undefined) return null;
  return [...new Set(first)].filter((group) => others.every((groups) => groups.includes(group)));
}

function byDefault(bound: string[] | null, asker: readonly string[]): GroupsDecision {
  if (bound === null) {
    if (asker.length <= 1) return { groups: [...asker], wider: false };
    const message = `the asker has several groups (${asker.join(', ')}): name those whose members may read the document`;
    return { refused: 'Publication.GroupsNeeded', message };
  }
  if (bound.length === 0) return tooWide(bound);
  const common = bound.filter((group) => asker.includes(group));
  return { groups: common.length > 0 ? common : bound, wider: false };
}

function tooWide(bound: readonly string[]): GroupsDecision {
  const message =
    bound.length === 0
      ? 'no single group may read all that the answer cites: name groups, and allow that they are wider than its evidence (allowWider)'
      : `the answer cites what only ${bound.join(', ')} may read: name groups among these, or allow wider ones (allowWider)`;
  return { refused: 'Publication.GroupsTooWide', message };
}
