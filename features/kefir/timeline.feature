Feature: The timeline shows the history of a batch
  Photos, notes, and changes of stage and status form the timeline of a batch, in order of time.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-P5
  Scenario: Events come in the order in which they happened
    Given "ana" has noted "bubbles, sour, fizzy" on "ginger", a second apart
    When "ana" lists the events of "ginger"
    Then the list is "bubbles, sour, fizzy"

  @KF-P6.page
  Scenario: The newest 20 events come with a cursor for the rest
    Given "ana" has added 23 notes to "ginger"
    When "ana" lists the newest events of "ginger"
    And "ana" lists the events of "ginger", newest first
    Then the pages have 20 and 3 entries
    And the list has 23 entries, each once

  @KF-P6.order
  Scenario: The newest event comes first
    Given "ana" has noted "bubbles, sour, fizzy" on "ginger", a second apart
    When "ana" lists the events of "ginger", newest first in pages of 2
    Then the list is "fizzy, sour, bubbles"

  @KF-P7
  Scenario: A user lists the events since a given time
    Given "ana" has noted "bubbles" on "ginger", a second apart
    And this moment is saved as "then"
    And "ana" has noted "sour, fizzy" on "ginger", a second apart
    When "ana" lists the events of "ginger" from "{then}" on
    Then the list is "sour, fizzy"

  @KF-P14
  Scenario: A batch comes with its events and its reminders
    Given "ana" has noted "bubbles, sour" on "ginger", a second apart
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When "ana" looks at the timeline of "ginger"
    Then the timeline has the batch "ginger", 2 events and 1 reminder

  @KF-R4.fields
  Scenario: A photo and a note have their own fields
    When "ana" adds the photo "https://photos.example.com/1.jpg" to "ginger"
    Then it is created
    And the response's "photoUrl" is "https://photos.example.com/1.jpg"
    And the response has no "note"
    When "ana" notes "fizzy" on "ginger"
    Then it is created
    And the response's "note" is "fizzy"
    And the response has no "photoUrl"

  @KF-R4.fields
  Scenario: A photo is stored with its URL and its key
    When "ana" adds the event {"type": "photo", "photoUrl": "https://photos.example.com/1.jpg", "photoKey": "photos/1.jpg"} to "ginger"
    And "ana" lists the events of "ginger"
    Then the response's "events.0.photoUrl" is "https://photos.example.com/1.jpg"
    And the response's "events.0.photoKey" is "photos/1.jpg"

  @KF-R4.service
  Scenario: Events of stage and status changes name the old and the new value
    When "ana" bottles "ginger"
    And "ana" moves "ginger" to "in_fridge"
    And "ana" lists the events of "ginger"
    Then the list is "active to in_fridge, stage 1 to 2" in any order

  @KF-R10
  Scenario: Events of the same moment are all listed, each once
    When "ana" notes "bubbles" on "ginger"
    And "ana" notes "sour" on "ginger"
    And "ana" notes "fizzy" on "ginger"
    And "ana" lists the events of "ginger" in pages of 1
    Then the list is "bubbles, fizzy, sour" in any order
    And the list has 3 entries, each once
