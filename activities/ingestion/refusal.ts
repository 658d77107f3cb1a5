/** Why a file was not taken in, beside what parsers report. An outcome of the document, not a failure of the step. Messages hold no document text. */
export class DocumentRefusal extends Error {
  readonly code:
    | 'Document.BadMetadata'
    | 'Document.Taken'
    | 'Document.Reserved'
    | 'Document.DuplicateId'
    | 'Document.NoText'
    | 'Document.Unreadable';
  constructor(code: DocumentRefusal['code'], message: string) {
    super(message);
    this.name = 'DocumentRefusal';
    this.code = code;
  }
}
