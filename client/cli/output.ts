import pc from 'picocolors';
import wrapAnsi from 'wrap-ansi';
import type { CliError } from './cli-error.ts';

type Stream = NodeJS.WriteStream;

/** Colours only for a person at a terminal, and never against NO_COLOR. */
export function colorsFor(stream: Stream): ReturnType<typeof pc.createColors> {
  return pc.createColors(stream.isTTY === true && pc.isColorSupported);
}

/** Text from documents or the server, without what a terminal would obey. */
export function printable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

/** Writes text with each line after an indent; wrapped to the width of a terminal, as it is for a pipe or file. */
export function writeLines(stream: Stream, text: string, indent = ''): void {
  const width = stream.isTTY ? Math.min(stream.columns ?? 80, 100) : Infinity;
  const lines = text.split('\n').flatMap((line) => wrapLine(`${indent}${line}`, width));
  stream.write(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
}

/** The parts of a broken line stand as far in as the line itself. */
function wrapLine(line: string, width: number): string[] {
  if (width === Infinity) return [line];
  const [indent = ''] = /^ */.exec(line) ?? [];
  const room = Math.max(width - indent.length, 20);
  return wrapAnsi(line.slice(indent.length), room, { hard: true })
    .split('\n')
    .map((part) => indent + part);
}

/** Writes a line that holds an address, never broken. */
export function writeUnbroken(stream: Stream, line: string, indent = ''): void {
  stream.write(`${indent}${line}\n`);
}

/** Writes an address by itself: broken into lines it could not be followed. */
export function writeAddress(stream: Stream, lead: string, address: string): void {
  stream.write(`${colorsFor(stream).dim(`\n${lead}${address}`)}\n`);
}

export function printError({ message, remedy }: CliError): void {
  const colors = colorsFor(process.stderr);
  writeLines(process.stderr, `${colors.red('✗')} ${printable(message)}`);
  if (remedy !== null) writeLines(process.stderr, printable(remedy), '  ');
}
