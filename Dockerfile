FROM node:26-slim AS package
WORKDIR /src
COPY . .
RUN npm ci && npm pack --pack-destination /package

FROM node:26-slim
COPY --from=package /package/ /package/
# Optional packages are copies of Node for machines without Node 26.
RUN npm install --global --omit=optional /package/mintick-*.tgz \
  && rm -r /package /root/.npm \
  && mkdir /data \
  && chown node:node /data
USER node
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["mintick", "serve"]
