import { Command } from 'commander';
import { readSettings } from '../connect.ts';
import type { Done } from '../done.ts';
import { exitCodes } from '../exit-codes.ts';
import { colorsFor, printable, writeLines } from '../output.ts';

export function doctorCommand(done: Done): Command {
  return new Command('doctor')
    .description('Check every prerequisite and say what to do about what is missing.')
    .option('--json', 'print the findings as JSON', false)
    .addHelpText('after', '\nExamples:\n  plumbline doctor\n  plumbline doctor --json')
    .action(async ({ json }: { json: boolean }) => {
      const { runDoctor } = await import('../../../launcher/doctor.ts');
      const findings = await runDoctor(await readSettings());
      const colors = colorsFor(process.stdout);
      if (json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
      else
        for (const { check, ok, detail, remedy } of findings) {
          writeLines(
            process.stdout,
            `${ok ? colors.green('✓') : colors.red('✗')} ${colors.bold(check)}: ${printable(detail)}`,
          );
          if (!ok && remedy !== undefined) writeLines(process.stdout, printable(remedy), '  ');
        }
      done(findings.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.failed);
    });
}
