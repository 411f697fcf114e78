# Tabletop in an image of one file. `make image` builds the static binary first, so nothing is pulled.
FROM scratch
COPY bin/image/tabletop /tabletop
COPY --chown=65532:65532 bin/image/data /data
USER 65532:65532
EXPOSE 8000 8080 8081 8090
ENTRYPOINT ["/tabletop"]
CMD ["emulator", "--dynamodb-addr", "0.0.0.0:8000", "--cosmos-addr", "0.0.0.0:8081"]
