/** What a local pair model is for. */
export type PairKind = 'cross-encoder' | 'entailment';

/** How messages name it, the variable that names its folder, and the label of the class whose probability is the score. */
export const pairKinds: Record<PairKind, { title: string; setting: string; label: RegExp }> = {
  'cross-encoder': {
    title: 'The cross-encoder',
    setting: 'PLUMBLINE_CROSS_ENCODER_DIR',
    label: /^(relevant|positive|true|yes|match|label_1|1)$/i,
  },
  entailment: { title: 'The entailment model', setting: 'PLUMBLINE_ENTAILMENT_DIR', label: /^entail/i },
};
