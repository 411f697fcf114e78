// After the sample of "How to write stored procedures, triggers, and user-defined functions": transactions. It assigns
// variables that nothing declares.
function tradePlayers(playerId1, playerId2) {
    var container = getContext().getCollection();
    var query = function (id) {
        return { query: 'SELECT * FROM Players p where p.id = @id', parameters: [{ name: '@id', value: id }] };
    };
    var accept = container.queryDocuments(container.getSelfLink(), query(playerId1), {}, function (err, items) {
        if (err) throw new Error("Error" + err.message);
        if (items.length != 1) throw "Unable to find both names";
        player1Item = items[0];
        var accept2 = container.queryDocuments(container.getSelfLink(), query(playerId2), {}, function (err2, items2) {
            if (err2) throw new Error("Error" + err2.message);
            if (items2.length != 1) throw "Unable to find both names";
            player2Item = items2[0];
            swapTeams(player1Item, player2Item);
        });
        if (!accept2) throw "Unable to read player details, abort ";
    });
    if (!accept) throw "Unable to read player details, abort ";
    function swapTeams(player1, player2) {
        var player2NewTeam = player1.team;
        player1.team = player2.team;
        player2.team = player2NewTeam;
        var accept = container.replaceDocument(player1._self, player1, function (err) {
            if (err) throw "Unable to update player 1, abort ";
            var accept2 = container.replaceDocument(player2._self, player2, function (err2) {
                if (err2) throw "Unable to update player 2, abort"
            });
            if (!accept2) throw "Unable to update player 2, abort";
        });
        if (!accept) throw "Unable to update player 1, abort";
    }
}
