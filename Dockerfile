# Two images of one file each. `make image` builds the static binaries first, so nothing is pulled.
#   emulator, the default: DynamoDB and Cosmos DB alone
#   up: everything that tabletop does
# The addresses are environment variables, so that they also apply with other arguments: docker run IMAGE -sharedDb
FROM scratch AS up
COPY bin/image/tabletop /tabletop
COPY --chown=65532:65532 bin/image/data /data
USER 65532:65532
ENV TABLETOP_DYNAMODB_ADDR=0.0.0.0:8000 TABLETOP_BACKEND_ADDR=0.0.0.0:8080 TABLETOP_COSMOS_ADDR=0.0.0.0:8081 TABLETOP_PUSH_ADDR=0.0.0.0:8090
EXPOSE 8000 8080 8081 8090
HEALTHCHECK --interval=10s --timeout=15s --start-period=60s CMD ["/tabletop", "health", "--endpoint", "http://127.0.0.1:8000,http://127.0.0.1:8080/healthz"]
ENTRYPOINT ["/tabletop"]
CMD ["up"]

FROM scratch AS emulator
COPY bin/image/tabletop-emulator /tabletop-emulator
COPY --chown=65532:65532 bin/image/data /data
USER 65532:65532
ENV TABLETOP_DYNAMODB_ADDR=0.0.0.0:8000 TABLETOP_COSMOS_ADDR=0.0.0.0:8081
EXPOSE 8000 8081
HEALTHCHECK --interval=10s --timeout=15s --start-period=30s CMD ["/tabletop-emulator", "health"]
ENTRYPOINT ["/tabletop-emulator"]
