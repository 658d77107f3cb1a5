/** The events of a streamed answer. @throws SyntaxError where there is none: no model answered, but a page or nothing came with status 200 */
export async function* eventsOf<T>(stream: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  let none = true;
  for await (const event of stream) {
    none = false;
    yield event;
  }
  if (none) throw new SyntaxError('an answer without events');
}
