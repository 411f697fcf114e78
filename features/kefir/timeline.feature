Feature: What happened to a batch can be read later
  Photos and notes, changes of stage and of status make a batch's timeline, in the order of time.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-P5
  Scenario: Events come in the order in which they happened
    Given "ana" has noted "bubbles, sour, fizzy" on "ginger", a second apart
    When "ana" lists the events of "ginger"
    Then the list is "bubbles, sour, fizzy"
    And the store was asked for a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'EVENT#')", ascending

  @KF-P6.page
  Scenario: The newest 20 events, and a cursor for the others
    Given "ana" has noted 23 things on "ginger"
    When "ana" lists the newest events of "ginger"
    Then the store was asked for a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'EVENT#')", descending, limit 20
    When "ana" lists the events of "ginger", newest first
    Then the pages have 20 and 3 entries
    And the list has 23 entries, each once

  @KF-P6.order
  Scenario: The newest event comes first
    Given "ana" has noted "bubbles, sour, fizzy" on "ginger", a second apart
    When "ana" lists the events of "ginger", newest first in pages of 2
    Then the list is "fizzy, sour, bubbles"

  @KF-P7
  Scenario: Events from a moment on
    Given "ana" has noted "bubbles" on "ginger", a second apart
    And this moment is called "then"
    And "ana" has noted "sour, fizzy" on "ginger", a second apart
    When "ana" lists the events of "ginger" from "{then}" on
    Then the list is "sour, fizzy"
    And the store was asked for a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK BETWEEN 'EVENT#{then}' AND 'EVENT#\uffff'"

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
    Then the timeline has the batch "ginger", 2 events and 1 reminder
    And the store was asked for 1 time Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'BATCH#{ginger}'"
    And the store was asked for 1 time Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'EVENT#')", descending, limit 20
    And the store was asked for 1 time Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'REMINDER#')"
    And the store was never asked for a GetItem

  @KF-R4.fields
  Scenario: A photo and a note have their own fields
    When "ana" adds the photo "https://photos.example.com/1.jpg" to "ginger"
    Then the answer is 201
    And the answer's "photoUrl" is "https://photos.example.com/1.jpg"
    And the answer has no "note"
    When "ana" notes "fizzy" on "ginger"
    Then the answer is 201
    And the answer's "note" is "fizzy"
    And the answer has no "photoUrl"

  @KF-R4.fields
  Scenario: A photo is kept with its address and its key
    When "ana" adds the event {"type": "photo", "photoUrl": "https://photos.example.com/1.jpg", "photoKey": "photos/1.jpg"} to "ginger"
    And "ana" lists the events of "ginger"
    Then the answer's "events.0.photoUrl" is "https://photos.example.com/1.jpg"
    And the answer's "events.0.photoKey" is "photos/1.jpg"

  @KF-R4.service
  Scenario: A change of stage and a change of status say from where to where
    When "ana" bottles "ginger"
    And "ana" puts "ginger" to "in_fridge"
    And "ana" lists the events of "ginger"
    Then the list is "active to in_fridge, stage 1 to 2" in any order

  @KF-R4.refused
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
  Scenario: Events of the same moment are each there, once
    When "ana" notes "bubbles" on "ginger"
    And "ana" notes "sour" on "ginger"
    And "ana" notes "fizzy" on "ginger"
    And this moment is called "then"
    And "ana" lists the events of "ginger" in pages of 1
    Then the list is "bubbles, fizzy, sour" in any order
    And the list has 3 entries, each once
    And the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'EVENT#{then}#{id of sour}'" has:
      | note | 'sour' |
