Feature: The notification centre, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given "ana" has no quiet hours

  @NT-P6.pages
  Scenario: Notifications are listed newest first, in pages of 20, on the wire
    Given 20 likes of posts of "ana", a minute apart
    And a worker runs
    And 61 minutes pass
    And 13 likes of posts of "ana", a minute apart
    And a worker runs
    And earlier requests to Cosmos DB are ignored
    When "ana" lists her notifications
    Then Cosmos DB received this query of "notifications" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.dismissed = false ORDER BY c.createdAt DESC
      """

  @NT-P6.refused
  Scenario: An invalid cursor is refused
    When "ana" sends GET /notifications?cursor=made-up
    Then it is refused as a bad request
    And the response names the field "query.cursor"

  @NT-P5.unread @NT-P6.undismissed @NT-P8.marked
  Scenario: Read notifications are not counted as unread, and dismissed ones are not listed, on the wire
    Given "bob" likes a post of "ana"
    And 1 minute passes
    And NEWS_SYSTEM_UPDATE occurs for "ana"
    And a worker runs
    Then "ana" has 2 unread
    And Cosmos DB received this query of "notifications" in the partition "ana":
      """
      SELECT VALUE COUNT(1) FROM c WHERE c.userId = 'ana' AND c.read = false AND c.dismissed = false
      """
    Given "ana" lists her notifications
    When "ana" reads the notification
    Then "ana" has 1 unread
    And "ana" has 2 notifications
    When "ana" dismisses the notification
    Then "ana" has 1 notification
    And Cosmos DB received a Patch of "notifications" in the partition "ana"

  @NT-R9.end @needs:move-time
  Scenario: Notifications expire after 30 days, on the wire
    Given "bob" likes a post of "ana"
    And a worker runs
    When 29 days pass
    Then "ana" has 1 notification
    When 1 day passes
    Then "ana" has 0 notifications
    And 0 documents of "ana" are in "notification_events"

  @NT-R9.stay @needs:move-time
  Scenario: Preferences and devices do not expire, on the wire
    Given "ana" registers the device "tablet"
    When 400 days pass
    Then "ana" has the devices "tablet"
    And 1 document of "ana" is in "notification_preferences"
