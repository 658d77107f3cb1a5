import express from 'express';
import type { IndexPort } from '../adapters/index/port.ts';
import type { EvidenceStore, EventsPort } from '../adapters/store/port.ts';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import { accessOf, authenticate } from './authenticate.ts';
import { documentRoutes } from './document-routes.ts';
import { streamTimes, type StreamTimes } from './event-stream.ts';
import { forkRoutes } from './fork-routes.ts';
import { gapRoutes } from './gap-routes.ts';
import { healthRoutes, questionParts, type PartCheck } from './health-routes.ts';
import { basics, methodNotAllowed, sendError, unknownRoute } from './http-basics.ts';
import { ingestionRoutes } from './ingestion-routes.ts';
import type { Principals } from './principals.ts';
import { publicationRoutes } from './publication-routes.ts';
import { questionRoutes } from './question-routes.ts';
import { replayRoutes, type Replay } from './replay-routes.ts';
import { resumptionRoutes } from './resumption-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { uploadLimits, type UploadLimits } from './uploads.ts';
import { usageRoutes } from './usage-routes.ts';

export interface ApiOptions {
  plumbline: PlumblineClient;
  events: EventsPort;
  index: IndexPort;
  principals: Principals;
  version: string;
  /** Texts of the web and of reviewers, for those who review; without it they see its references only. */
  evidence?: Pick<EvidenceStore, 'get'>;
  /** Further parts that `/ready` looks at, by their names. */
  ready?: Record<string, PartCheck>;
  /** Without it, runs cannot be replayed here. */
  replay?: Replay;
  /** Intervals of event streams, in ms. */
  times?: Partial<StreamTimes>;
  /** What one upload may be. */
  limits?: Partial<UploadLimits>;
  /** Gets errors that nobody expected; default: standard error. */
  report?: (error: unknown, requestId: string) => void;
}

/** The HTTP API. Whoever listens with it chooses the address. */
export function createApi(options: ApiOptions): express.Express {
  const report = options.report ?? reportToStderr;
  const routes = apiRoutes(options);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(basics);
  app.use((req, res) => routes(req, res, (error: unknown) => sendError(error, res, report)));
  return app;
}

function apiRoutes({
  plumbline,
  events,
  index,
  principals,
  version,
  ready,
  times,
  limits,
  replay,
  evidence,
}: ApiOptions): express.Router {
  const routes = express.Router();
  routes.use(healthRoutes({ version, parts: { ...questionParts(plumbline, index), ...ready } }));
  routes.use('/v1', authenticate(principals));
  routes
    .route('/v1/me')
    .get((_req, res) => void res.json(accessOf(res)))
    .all(methodNotAllowed('GET'));
  routes.use('/v1/questions', forkRoutes(plumbline));
  routes.use('/v1/questions', resumptionRoutes(plumbline));
  routes.use('/v1/questions', replayRoutes(plumbline, replay));
  routes.use('/v1/questions', questionRoutes({ plumbline, events, times: { ...streamTimes, ...times } }));
  const { ingestions, reviews } = plumbline;
  const uploads = { ...uploadLimits, ...limits };
  routes.use('/v1/reviews', reviewRoutes({ reviews, texts: { index, kept: evidence }, limits: uploads }));
  routes.use('/v1/documents', documentRoutes({ ingestions, index, limits: uploads }));
  routes.use('/v1/ingestions', ingestionRoutes(ingestions));
  routes.use('/v1/reviews', publicationRoutes(plumbline.publications, index));
  routes.use('/v1/gaps', gapRoutes(plumbline));
  routes.use('/v1/usage', usageRoutes(plumbline));
  routes.use(unknownRoute);
  return routes;
}

function reportToStderr(error: unknown, requestId: string): void {
  console.error(`request ${requestId} failed:`, error);
}
