// After the sample of "How to write stored procedures, triggers, and user-defined functions": post-triggers.
function updateMetadata() {
    var context = getContext();
    var container = context.getCollection();
    var createdItem = context.getResponse().getBody();
    var filterQuery = { query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: '_metadata' }] };
    var accept = container.queryDocuments(container.getSelfLink(), filterQuery, updateMetadataCallback);
    if (!accept) throw "Unable to update metadata, abort";
    function updateMetadataCallback(err, items) {
        if (err) throw new Error("Error" + err.message);
        if (items.length != 1) throw 'Unable to find metadata document';
        var metadataItem = items[0];
        metadataItem.createdItems += 1;
        metadataItem.createdNames += " " + createdItem.id;
        var accept = container.replaceDocument(metadataItem._self, metadataItem, function (err) {
            if (err) throw "Unable to update metadata, abort";
        });
        if (!accept) throw "Unable to update metadata, abort";
    }
}
