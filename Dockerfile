# Two images of one file each. `make image` builds the static binaries first, so nothing is pulled.
#   emulator, the default: DynamoDB and Cosmos DB alone
#   up: everything that tabletop does; compose.yaml runs it
FROM scratch AS up
COPY bin/image/tabletop /tabletop
COPY --chown=65532:65532 bin/image/data /data
USER 65532:65532
EXPOSE 8000 8080 8081 8090
ENTRYPOINT ["/tabletop"]
CMD ["up", "--dynamodb-addr", "0.0.0.0:8000", "--backend-addr", "0.0.0.0:8080", "--cosmos-addr", "0.0.0.0:8081", "--push-addr", "0.0.0.0:8090"]

FROM scratch AS emulator
COPY bin/image/tabletop-emulator /tabletop-emulator
COPY --chown=65532:65532 bin/image/data /data
USER 65532:65532
EXPOSE 8000 8081
ENTRYPOINT ["/tabletop-emulator"]
CMD ["--dynamodb-addr", "0.0.0.0:8000", "--cosmos-addr", "0.0.0.0:8081"]
