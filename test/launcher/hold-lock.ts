// Takes the lock of a data folder, says so, and holds it until it is killed or its input ends.
import { LauncherError } from '../../launcher/errors.ts';
import { lockInstance } from '../../launcher/instance-lock.ts';

const [folder = '', address = ''] = process.argv.slice(2);
try {
  lockInstance(folder).announce({ address, ports: [] });
  console.log('locked');
} catch (error) {
  if (!(error instanceof LauncherError)) throw error;
  console.log(error.code);
}
process.stdin.resume();
