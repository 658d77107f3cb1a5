const reach = 48;

/** The characters right before a place, as many as any rule looks back. Keeps long texts linear. */
export function leadIn(text: string, at: number): string {
  return text.slice(Math.max(0, at - reach), at);
}
