// Fetches the time-skipping test server into the cache folder given, as a second copy of Plumbline would.
import { ensureTestServer } from '../../launcher/temporal-binary.ts';

console.log(await ensureTestServer(process.argv[2]));
