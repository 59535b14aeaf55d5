# The command as an image, made of the package as it is published:
#   npm pack && mv eks-guardrails-*.tgz eks-guardrails.tgz && docker build --tag eks-guardrails .
FROM node:22-alpine AS package
COPY eks-guardrails.tgz /tmp/eks-guardrails.tgz
RUN npm install --global --prefix /opt/eks-guardrails --omit=dev --ignore-scripts --no-audit --no-fund /tmp/eks-guardrails.tgz

FROM node:22-alpine
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="eks-guardrails" \
      org.opencontainers.image.description="Stops Amazon EKS misconfigurations before they are deployed" \
      org.opencontainers.image.source="https://github.com/eks-guardrails/eks-guardrails" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
# --changed-since asks it.
RUN apk add --no-cache git
COPY --from=package /opt/eks-guardrails /opt/eks-guardrails
ENV PATH=/opt/eks-guardrails/bin:$PATH
# What is checked is mounted here, read-only if you like: nothing is written there unless an option asks for it.
WORKDIR /work
# By number, so that Kubernetes sees that it isn't root.
USER 1000:1000
ENTRYPOINT ["eks-guardrails"]
CMD ["--help"]
