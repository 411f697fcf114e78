Feature: What happened to a batch can be read later, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-P5
  Scenario: Events come in the order in which they happened, on the wire
    Given "ana" has noted "bubbles, sour, fizzy" on "ginger", a second apart
    When "ana" lists the events of "ginger"
    Then the store was asked for a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'EVENT#')", ascending

  @KF-P6.page
  Scenario: The newest 20 events, and a cursor for the others, on the wire
    Given "ana" has noted 23 things on "ginger"
    When "ana" lists the newest events of "ginger"
    Then the store was asked for a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'EVENT#')", descending, limit 20

  @KF-P7
  Scenario: Events from a moment on, on the wire
    Given "ana" has noted "bubbles" on "ginger", a second apart
    And this moment is called "then"
    And "ana" has noted "sour, fizzy" on "ginger", a second apart
    When "ana" lists the events of "ginger" from "{then}" on
    Then the store was asked for a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK BETWEEN 'EVENT#{then}' AND 'EVENT#\uffff'"

  @KF-P7 @KF-D4
  Scenario: The document's open end runs on into the reminders; the service's range ends with the events
    Given this moment is called "then"
    And "ana" has noted "bubbles" on "ginger", a second apart
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When the store is asked for a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK > 'EVENT#{then}'"
    Then 2 items are found
    And the items found are:
      | type | message   |
      | note |           |
      |      | bottle it |
    When "ana" lists the events of "ginger" from "{then}" on
    Then the list is "bubbles"

  @KF-P14
  Scenario: A batch with its events and its reminders is three queries and one answer
    Given "ana" has noted "bubbles, sour" on "ginger", a second apart
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When "ana" looks at the timeline of "ginger"
    Then the store was asked for 1 time Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'BATCH#{ginger}'"
    And the store was asked for 1 time Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'EVENT#')", descending, limit 20
    And the store was asked for 1 time Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'REMINDER#')"
    And the store was never asked for a GetItem

  @KF-R4.refused @KF-D9
  Scenario Outline: An event with <flaw> is refused
    When "ana" adds the event <event> to "ginger"
    Then the answer is 422
    And the answer names the field "<field>"
    And the table holds 0 "EVENT#" items

    Examples:
      | flaw                               | event                                                                           | field         |
      | no type                            | {"note": "fizzy"}                                                               | body.type     |
      | an unknown type                    | {"type": "smell", "note": "fizzy"}                                              | body.type     |
      | the type of a change of stage      | {"type": "stage_transition", "note": "x"}                                       | body.type     |
      | the type of a change of status     | {"type": "status_change", "note": "x"}                                          | body.type     |
      | the fields of a change of stage    | {"type": "note", "note": "x", "fromStage": 1, "toStage": 2}                     | body.fromStage |
      | a note that says nothing           | {"type": "note"}                                                                | body.note     |
      | a note with a photo                | {"type": "note", "note": "x", "photoUrl": "https://photos.example.com/1.jpg"}   | body.photoUrl |
      | a note with the key of a photo     | {"type": "note", "note": "x", "photoKey": "1.jpg"}                              | body.photoKey |
      | a photo without its address        | {"type": "photo", "photoKey": "1.jpg"}                                          | body.photoUrl |
      | a photo with a note                | {"type": "photo", "photoUrl": "https://photos.example.com/1.jpg", "note": "x"}  | body.note     |
      | a photo at an address that is none | {"type": "photo", "photoUrl": "javascript:alert(1)"}                            | body.photoUrl |
      | a time of the sender's own         | {"type": "note", "note": "x", "createdAt": "2020-01-01T00:00:00Z"}              | body.createdAt |

  @KF-R10
  Scenario: Events of the same moment are each there, once, on the wire
    When "ana" notes "bubbles" on "ginger"
    And "ana" notes "sour" on "ginger"
    And "ana" notes "fizzy" on "ginger"
    And this moment is called "then"
    And "ana" lists the events of "ginger" in pages of 1
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'EVENT#{then}#{id of sour}'" has:
      | note | 'sour' |
