Feature: The timeline shows the history of a batch, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-P5
  Scenario: Events come in the order in which they happened, on the wire
    Given "ana" has noted "bubbles, sour, fizzy" on "ginger", a second apart
    When "ana" lists the events of "ginger"
    Then the store received a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'EVENT#')", ascending

  @KF-P6.page
  Scenario: The newest 20 events come with a cursor for the rest, on the wire
    Given "ana" has added 23 notes to "ginger"
    When "ana" lists the newest events of "ginger"
    Then the store received a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'EVENT#')", descending, limit 20

  @KF-P7
  Scenario: A user lists the events since a given time, on the wire
    Given "ana" has noted "bubbles" on "ginger", a second apart
    And this moment is saved as "then"
    And "ana" has noted "sour, fizzy" on "ginger", a second apart
    When "ana" lists the events of "ginger" from "{then}" on
    Then the store received a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK BETWEEN 'EVENT#{then}' AND 'EVENT#\uffff'"

  @KF-P7 @KF-D4
  Scenario: The documented open range includes reminders; the service's range contains only events
    Given this moment is saved as "then"
    And "ana" has noted "bubbles" on "ginger", a second apart
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When a client sends a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK > 'EVENT#{then}'"
    Then 2 items are found
    And the items found are:
      | type | message   |
      | note |           |
      |      | bottle it |
    When "ana" lists the events of "ginger" from "{then}" on
    Then the list is "bubbles"

  @KF-P14
  Scenario: A batch with its events and reminders takes three queries
    Given "ana" has noted "bubbles, sour" on "ginger", a second apart
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When "ana" looks at the timeline of "ginger"
    Then the store received 1 request: Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'BATCH#{ginger}'"
    And the store received 1 request: Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'EVENT#')", descending, limit 20
    And the store received 1 request: Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'REMINDER#')"
    And the store received no GetItem

  @KF-R4.refused @KF-D9
  Scenario Outline: An event with <flaw> is refused
    When "ana" adds the event <event> to "ginger"
    Then the response is 422
    And the response names the field "<field>"
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
  Scenario: Events of the same moment are all listed, each once, on the wire
    When "ana" notes "bubbles" on "ginger"
    And "ana" notes "sour" on "ginger"
    And "ana" notes "fizzy" on "ginger"
    And this moment is saved as "then"
    And "ana" lists the events of "ginger" in pages of 1
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'EVENT#{then}#{id of sour}'" has:
      | note | 'sour' |
