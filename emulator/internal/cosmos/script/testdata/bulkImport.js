// After the sample of "How to write stored procedures, triggers, and user-defined functions": bounded execution.
function bulkImport(items) {
    var container = getContext().getCollection();
    var link = container.getSelfLink();
    var count = 0;
    if (!items) throw new Error("The array is undefined or null.");
    if (items.length == 0) {
        getContext().getResponse().setBody(0);
        return;
    }
    tryCreate(items[count], callback);
    function tryCreate(item, callback) {
        if (!container.createDocument(link, item, callback)) getContext().getResponse().setBody(count);
    }
    function callback(err, item, options) {
        if (err) throw err;
        count++;
        if (count >= items.length) getContext().getResponse().setBody(count);
        else tryCreate(items[count], callback);
    }
}
