# The emulator's image of a release, for several architectures; .goreleaser.yaml builds it. ../Dockerfile is the same
# for this machine.
FROM scratch AS folders
WORKDIR /empty

FROM scratch
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/tabletop-emulator /tabletop-emulator
COPY --from=folders --chown=65532:65532 /empty /data
USER 65532:65532
ENV TABLETOP_DYNAMODB_ADDR=0.0.0.0:8000 TABLETOP_COSMOS_ADDR=0.0.0.0:8081
EXPOSE 8000 8081
HEALTHCHECK --interval=10s --timeout=15s --start-period=30s CMD ["/tabletop-emulator", "health"]
ENTRYPOINT ["/tabletop-emulator"]
