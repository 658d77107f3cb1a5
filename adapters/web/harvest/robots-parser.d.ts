/** What is used of the library. Its own declarations (3.0) name a default export; to Node's resolution the function is the module itself. */
declare module 'robots-parser' {
  interface Robots {
    /** Undefined where the address is not of that site. */
    isAllowed(url: string, userAgent: string): boolean | undefined;
  }
  export default function parseRobots(url: string, content: string): Robots;
}
