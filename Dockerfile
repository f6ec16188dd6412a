# The program alone, in an otherwise empty image: no shell, no package manager.
# It can rehearse, keep its journal, and serve the dashboard, REST and MCP. The
# agents' own CLIs and git are not in it; build an image of yours around them:
#
#   FROM node:22-slim
#   RUN npm install -g @anthropic-ai/claude-code
#   COPY --from=kurogo /kurogo /usr/local/bin/kurogo

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=${VERSION}" -o /out/kurogo ./cmd/kurogo
# What an empty image lacks: a user, a place for state that whoever runs it may
# write to, a /tmp, and the certificates of the world.
RUN mkdir -p /root-fs/etc/ssl/certs /root-fs/state /root-fs/tmp /root-fs/project \
 && chmod 1777 /root-fs/state /root-fs/tmp \
 && echo 'nonroot:x:65532:65532:nonroot:/state:/kurogo' > /root-fs/etc/passwd \
 && echo 'nonroot:x:65532:' > /root-fs/etc/group \
 && cp /etc/ssl/certs/ca-certificates.crt /root-fs/etc/ssl/certs/

FROM scratch
COPY --from=build /root-fs /
COPY --from=build /out/kurogo /kurogo
USER nonroot
WORKDIR /project
ENV HOME=/state \
    KUROGO_PROJECT=/project \
    KUROGO_STATE_DIR=/state/kurogo \
    KUROGO_SERVER_LISTEN=0.0.0.0:9696
VOLUME /state
EXPOSE 9696
ENTRYPOINT ["/kurogo"]
CMD ["serve"]
