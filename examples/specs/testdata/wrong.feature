Feature: Failures are explained

  @seats-1
  Scenario: A guest's seats are found by the table's key
    Given a table "seats" with the key "show" and the sort key "seat"
    When "ann" holds the seat "1A" of "Hamlet"
    Then the store received a PutItem of "seats", only if "attribute_not_exists(seat)"

  @seats-2
  Scenario: A step that nobody defined
    Given the theatre is closed on Mondays
