import { join } from 'node:path';
import type { DocumentParser } from '../../adapters/parsers/port.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { IndexPort, VersionKey } from '../../adapters/index/port.ts';
import { runFiles } from '../../domain/ingestion/run-files.ts';
import type { RunFiles } from '../../domain/ingestion/run-files.ts';

export interface IngestionDeps {
  index: IndexPort;
  embedding: EmbeddingModel;
  parser: DocumentParser;
  /** Shared by all workers that take part in one run, and by the API and CLI that start it. */
  spoolDir: string;
}

/** Which run a step belongs to. */
export interface RunRef {
  workflowId: string;
  tenant: string;
  user: string;
  /** Groups of whoever sent the files; absent for an operator of this house, who may replace any document of the tenant. */
  groups?: string[];
}

/** A document between the steps: its text and passages are in the run's folder. */
export interface PreparedRef {
  documentId: string;
  version: string;
}

/** The run's files as absolute paths. */
export function filesOf(run: RunRef, spoolDir: string): RunFiles {
  const files = runFiles(run.workflowId);
  const at = (path: string) => join(spoolDir, ...path.split('/'));
  return {
    folder: at(files.folder),
    manifest: at(files.manifest),
    reports: at(files.reports),
    uploads: at(files.uploads),
    prepared: at(files.prepared),
    claims: at(files.claims),
    scan: at(files.scan),
  };
}

export function keyOf(run: RunRef, document: PreparedRef): VersionKey {
  return { tenant: run.tenant, documentId: document.documentId, version: document.version };
}
