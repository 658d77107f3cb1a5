/** What is used of the library. Its own declarations need those of a browser, which this project does not load. */
declare module 'linkedom' {
  /** A document as Readability wants it: a part of the DOM, without layout, scripts or network. */
  export function parseHTML(html: string): { document: object };
}
