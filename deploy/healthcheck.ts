// For a container's health check: `node healthcheck.ts PORT` exits 0 when /ready on that port of this machine says so,
// else 1 with what is missing, which `docker inspect` shows.
const port = process.argv[2];
try {
  const response = await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(5000) });
  console.log(await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.log(`No answer on port ${port}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
