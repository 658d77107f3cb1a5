import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { VectorOrigin } from '../vector-origin.ts';

export type Row = Record<string, SQLOutputValue>;

/** Prepared statements kept: each tenant has some of its own, since its full-text table is its own. */
const keptStatements = 256;

/** A connection with cached statements. Calls are synchronous: between two of them nothing else runs on this connection. */
export class Database {
  readonly dimensions: number;
  /** Whose vectors it holds. */
  readonly model: string;
  readonly #connection: DatabaseSync;
  readonly #statements = new LRUCache<string, StatementSync>({ max: keptStatements });

  constructor(connection: DatabaseSync, { model, dimensions }: VectorOrigin) {
    this.#connection = connection;
    this.dimensions = dimensions;
    this.model = model;
  }

  /** For statements that run once. */
  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  /** Rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  insert(sql: string, ...values: SQLInputValue[]): bigint {
    return BigInt(this.#statement(sql).run(...values).lastInsertRowid);
  }

  /** All reads of `work` see one state of the file. */
  read<T>(work: () => T): T {
    return this.#transaction('BEGIN', work);
  }

  /** All or nothing. The lock is taken at the start, so that waiting for it honours the busy timeout. */
  write<T>(work: () => T): T {
    return this.#transaction('BEGIN IMMEDIATE', work);
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #transaction<T>(begin: string, work: () => T): T {
    this.#connection.exec(begin);
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite itself rolls back after some failures (full disk, I/O).
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  #statement(sql: string): StatementSync {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
