export { listSourceFiles, type SourceListing } from '../adapters/sources/list-source-files.ts';
