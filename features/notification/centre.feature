Feature: The notification centre
  A user sees what was told, newest first, and says what is read or of no interest. Nobody sees another one's.

  Background:
    Given "ana" is never quiet

  @NT-P6.pages
  Scenario: The list comes newest first, twenty a page, by continuation
    Given 20 likes of posts of "ana", a minute apart
    And a worker runs
    And 61 minutes pass
    And 13 likes of posts of "ana", a minute apart
    And a worker runs
    When "ana" reads her notifications
    Then the pages have 20, 13 notifications
    When "ana" reads her notifications, 10 a page
    Then the pages have 10, 10, 10, 3 notifications

  @NT-P6.order
  Scenario: What was told last is first
    Given "bob" likes a post of "ana"
    And a worker runs
    And 1 minute passes
    And "cleo" likes a post of "ana"
    And a worker runs
    When "ana" reads her notifications
    Then they are "cleo liked your post; bob liked your post"

  @NT-P6.category @NT-P6.access
  Scenario: A list of one category, and nobody else's
    Given "bob" likes a post of "ana"
    And NEWS_SYSTEM_UPDATE happens to "ana"
    And "ana" likes a post of "cleo"
    And a worker runs
    When "ana" reads her notifications of NEWS
    Then they are "There is news about the app"
    When "cleo" reads her notifications
    Then they are "ana liked your post"

  @NT-P5.unread @NT-P6.undismissed @NT-P8.marked
  Scenario: What is read counts no more, and what is dismissed is not listed
    Given "bob" likes a post of "ana"
    And 1 minute passes
    And NEWS_SYSTEM_UPDATE happens to "ana"
    And a worker runs
    Then "ana" has 2 unread
    Given "ana" reads her notifications
    When "ana" reads the notification
    Then the request succeeds
    And the answer's "read" is "true"
    And the answer's "readAt" is "{now in milliseconds}"
    And "ana" has 1 unread
    And "ana" has 2 notifications
    When "ana" dismisses the notification
    Then the answer's "dismissed" is "true"
    And the answer's "dismissedAt" is "{now in milliseconds}"
    And "ana" has 1 notification

  @NT-P5.undismissed
  Scenario: What is dismissed unread does not count
    Given "bob" likes a post of "ana"
    And a worker runs
    And "ana" reads her notifications
    When "ana" dismisses the notification
    Then "ana" has 0 unread

  @NT-P8.once
  Scenario: To dismiss again changes nothing
    Given "bob" likes a post of "ana"
    And a worker runs
    And "ana" reads her notifications
    And "ana" dismisses the notification
    And the answer's "dismissedAt" is called "first"
    When 1 hour passes
    And "ana" dismisses the notification
    Then the answer's "dismissedAt" is "{first}"

  @NT-P8.once
  Scenario: To read again changes nothing
    Given "bob" likes a post of "ana"
    And a worker runs
    And "ana" reads her notifications
    And "ana" reads the notification
    And the answer's "readAt" is called "first"
    When 1 hour passes
    And "ana" reads the notification
    Then the request succeeds
    And the answer's "readAt" is "{first}"

  @NT-P8.all
  Scenario: Everything is read at once
    Given 5 likes of posts of "ana"
    And a worker runs
    When "ana" reads everything
    Then the answer's "read" is "5"
    And "ana" has 0 unread

  @NT-P8.own
  Scenario: Nobody marks what is another one's
    Given "bob" likes a post of "ana"
    And a worker runs
    And "ana" reads her notifications
    When "bob" reads the notification
    Then it is not found
    And "ana" has 1 unread

  @NT-R9.end @needs:move-time
  Scenario: Notifications are gone after thirty days
    Given "bob" likes a post of "ana"
    And a worker runs
    When 29 days pass
    Then "ana" has 1 notification
    When 1 day passes
    Then "ana" has 0 notifications

  @NT-R9.stay @needs:move-time
  Scenario: Preferences and devices stay
    Given "ana" registers the device "tablet"
    When 400 days pass
    Then "ana" has the devices "tablet"

  @NT-D5 @needs:move-time
  Scenario: An event lives thirty days from its last update, not from its making
    Given "bob" likes a post of "ana"
    When 20 days pass
    And a worker runs
    And 29 days pass
    Then the event is COMPLETED
    When 1 day passes
    And the event is looked at
    Then it is not found
