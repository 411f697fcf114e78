Feature: The notification centre
  A user sees notifications, newest first, marks them as read and dismisses them. Nobody sees another user's.

  Background:
    Given "ana" has no quiet hours

  @NT-P6.pages
  Scenario: Notifications are listed newest first, in pages of 20
    Given 20 likes of posts of "ana", a minute apart
    And a worker runs
    And 61 minutes pass
    And 13 likes of posts of "ana", a minute apart
    And a worker runs
    When "ana" lists her notifications
    Then the pages have 20, 13 notifications
    When "ana" lists her notifications, 10 a page
    Then the pages have 10, 10, 10, 3 notifications

  @NT-P6.order
  Scenario: The latest notification is listed first
    Given "bob" likes a post of "ana"
    And a worker runs
    And 1 minute passes
    And "cleo" likes a post of "ana"
    And a worker runs
    When "ana" lists her notifications
    Then they are "cleo liked your post; bob liked your post"

  @NT-P6.category @NT-P6.access
  Scenario: A user lists the notifications of one category
    Given "bob" likes a post of "ana"
    And NEWS_SYSTEM_UPDATE occurs for "ana"
    And "ana" likes a post of "cleo"
    And a worker runs
    When "ana" lists her notifications of NEWS
    Then they are "There is news about the app"
    When "cleo" lists her notifications
    Then they are "ana liked your post"

  @NT-P5.unread @NT-P6.undismissed @NT-P8.marked
  Scenario: Read notifications are not counted as unread, and dismissed ones are not listed
    Given "bob" likes a post of "ana"
    And 1 minute passes
    And NEWS_SYSTEM_UPDATE occurs for "ana"
    And a worker runs
    Then "ana" has 2 unread
    Given "ana" lists her notifications
    When "ana" reads the notification
    Then the request succeeds
    And the response's "read" is "true"
    And the response's "readAt" is "{now in milliseconds}"
    And "ana" has 1 unread
    And "ana" has 2 notifications
    When "ana" dismisses the notification
    Then the response's "dismissed" is "true"
    And the response's "dismissedAt" is "{now in milliseconds}"
    And "ana" has 1 notification

  @NT-P5.undismissed
  Scenario: A dismissed notification does not count as unread
    Given "bob" likes a post of "ana"
    And a worker runs
    And "ana" lists her notifications
    When "ana" dismisses the notification
    Then "ana" has 0 unread

  @NT-P8.once
  Scenario: Dismissing again changes nothing
    Given "bob" likes a post of "ana"
    And a worker runs
    And "ana" lists her notifications
    And "ana" dismisses the notification
    And the response's "dismissedAt" is saved as "first"
    When 1 hour passes
    And "ana" dismisses the notification
    Then the response's "dismissedAt" is "{first}"

  @NT-P8.once
  Scenario: Reading again changes nothing
    Given "bob" likes a post of "ana"
    And a worker runs
    And "ana" lists her notifications
    And "ana" reads the notification
    And the response's "readAt" is saved as "first"
    When 1 hour passes
    And "ana" reads the notification
    Then the request succeeds
    And the response's "readAt" is "{first}"

  @NT-P8.all
  Scenario: A user marks everything as read
    Given 5 likes of posts of "ana"
    And a worker runs
    When "ana" marks everything as read
    Then the response's "read" is "5"
    And "ana" has 0 unread

  @NT-P8.own
  Scenario: A user cannot mark another user's notification
    Given "bob" likes a post of "ana"
    And a worker runs
    And "ana" lists her notifications
    When "bob" reads the notification
    Then it is not found
    And "ana" has 1 unread

  @NT-R9.end @needs:move-time
  Scenario: Notifications expire after 30 days
    Given "bob" likes a post of "ana"
    And a worker runs
    When 29 days pass
    Then "ana" has 1 notification
    When 1 day passes
    Then "ana" has 0 notifications

  @NT-R9.stay @needs:move-time
  Scenario: Preferences and devices do not expire
    Given "ana" registers the device "tablet"
    When 400 days pass
    Then "ana" has the devices "tablet"

  @NT-D5 @needs:move-time
  Scenario: An event expires 30 days after its last update
    Given "bob" likes a post of "ana"
    When 20 days pass
    And a worker runs
    And 29 days pass
    Then the event is COMPLETED
    When 1 day passes
    And the event is looked up
    Then it is not found
