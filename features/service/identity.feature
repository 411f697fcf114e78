Feature: Authentication and authorization
  With identities, the emulator checks each request as the service does: whose signature it is, and whether their
  policies allow it. A policy that is too narrow fails during development, and one that is too wide is noticed.

  Background:
    Given an emulator with these identities
      """
      account: "123456789012"
      users:
        admin: {keys: [{id: AKIAADMINADMINADMIN1, secret: secret-of-admin}], policies: [AdministratorAccess]}
        bob:
          keys: [{id: AKIABOBBOBBOBBOBBOB1, secret: secret-of-bob}]
          policies: [OwnPartition]
        carol:
          keys: [{id: AKIACAROLCAROLCAROL1, secret: secret-of-carol}]
          policies: [Everything, NoDeletes]
        dan: {keys: [{id: AKIADANDANDANDANDAN1, secret: secret-of-dan}]}
      roles:
        reader:
          policies: [ReadOnly]
          trust:
            Version: "2012-10-17"
            Statement: {Effect: Allow, Principal: {AWS: "arn:aws:iam::123456789012:user/carol"}, Action: sts:AssumeRole}
        partner:
          policies: [NamesOnly]
          trust:
            Version: "2012-10-17"
            Statement: {Effect: Allow, Principal: {AWS: "arn:aws:iam::123456789012:user/bob"}, Action: sts:AssumeRole}
      policies:
        Everything:
          Version: "2012-10-17"
          Statement: {Effect: Allow, Action: "dynamodb:*", Resource: "*"}
        NoDeletes:
          Version: "2012-10-17"
          Statement: {Sid: Never, Effect: Deny, Action: dynamodb:DeleteItem, Resource: "*"}
        ReadOnly:
          Version: "2012-10-17"
          Statement: {Effect: Allow, Action: [dynamodb:GetItem, dynamodb:Query], Resource: "arn:aws:dynamodb:*:*:table/*orders"}
        OwnPartition:
          Version: "2012-10-17"
          Statement:
            Effect: Allow
            Action: [dynamodb:GetItem, dynamodb:BatchGetItem, dynamodb:Query, dynamodb:PutItem, dynamodb:DeleteItem]
            Resource: "arn:aws:dynamodb:*:*:table/*orders"
            Condition: {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}
        NamesOnly:
          Version: "2012-10-17"
          Statement:
            Effect: Allow
            Action: dynamodb:GetItem
            Resource: "*"
            Condition:
              "ForAllValues:StringEquals": {"dynamodb:Attributes": [customer, id, name]}
              StringEqualsIfExists: {"dynamodb:Select": SPECIFIC_ATTRIBUTES}
      accounts:
        "210987654321":
          users:
            eve: {keys: [{id: AKIAEVEEVEEVEEVEEVE1, secret: secret-of-eve}], policies: [AdministratorAccess]}
      """
    And a table "orders" with the key "customer" and the sort key "id"
    And the item {"customer": "bob", "id": "1", "name": "Bob", "card": "4711"} is put into "orders"
    And the item {"customer": "carol", "id": "1", "name": "Carol"} is put into "orders"

  @SV-I1.signature @needs:commands
  Scenario: A signature with the wrong secret is refused
    When the requests are signed by "bob" with another secret
    And the item {"customer": "bob", "id": "1"} of "orders" is read
    Then it is refused with InvalidSignatureException because "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method."

  @SV-I1.unknown @needs:commands
  Scenario: An unknown access key is refused
    When the requests are signed with an unknown access key
    And the item {"customer": "bob", "id": "1"} of "orders" is read
    Then it is refused with UnrecognizedClientException because "The security token included in the request is invalid."

  @SV-I2.nothing @needs:commands
  Scenario: A user without a policy is denied everything
    When the requests are signed by "dan"
    And the item {"customer": "bob", "id": "1"} of "orders" is read
    Then it is refused with AccessDeniedException because "User: arn:aws:iam::123456789012:user/dan is not authorized to perform: dynamodb:GetItem on resource: arn:aws:dynamodb:us-east-1:123456789012:table/"
    And it is refused with AccessDeniedException because "because no identity-based policy allows the dynamodb:GetItem action"

  @SV-I2.denial @needs:commands
  Scenario: An explicit deny overrides an allow
    When the requests are signed by "carol"
    And the item {"customer": "carol", "id": "1"} of "orders" is read
    Then it is {"customer": "carol", "id": "1", "name": "Carol"}
    When the item {"customer": "carol", "id": "1"} of "orders" is deleted
    Then it is refused with AccessDeniedException because "with an explicit deny in an identity-based policy"

  @SV-I3.partition @SV-I3.members @needs:commands
  Scenario: A user sees only their own partition
    When the requests are signed by "bob"
    And the item {"customer": "bob", "id": "2"} is put into "orders"
    Then it succeeds
    When the items of "orders" where "customer" is "bob" are queried
    Then it succeeds
    When the item {"customer": "carol", "id": "1"} of "orders" is read
    Then it is refused with AccessDeniedException because "dynamodb:GetItem"
    When the items of "orders" where "customer" is "carol" are queried
    Then it is refused with AccessDeniedException because "dynamodb:Query"
    When the items {"customer": "bob", "id": "1"} and {"customer": "carol", "id": "1"} of "orders" are read in one batch
    Then it is refused with AccessDeniedException because "dynamodb:BatchGetItem"

  @SV-I3.members @needs:commands
  Scenario: Every action of a transaction must be allowed
    When the requests are signed by "bob"
    And in one transaction the item {"customer": "bob", "id": "2"} is put into "orders" and {"customer": "bob", "id": "1"} is deleted
    Then it succeeds
    When in one transaction the item {"customer": "bob", "id": "3"} is put into "orders" and {"customer": "carol", "id": "1"} is deleted
    Then it is refused with AccessDeniedException because "dynamodb:DeleteItem"
    When the item {"customer": "bob", "id": "3"} of "orders" is read
    Then there is no such item

  @SV-I3.attributes @needs:commands
  Scenario: A partner sees only some attributes
    When "bob" assumes the role "partner" for 15 minutes
    And the attributes "customer, id, #n" of the item {"customer": "bob", "id": "1"} of "orders" are read
    Then it is {"customer": "bob", "id": "1", "name": "Bob"}
    When the attributes "card" of the item {"customer": "bob", "id": "1"} of "orders" are read
    Then it is refused with AccessDeniedException because "dynamodb:GetItem"
    When the item {"customer": "bob", "id": "1"} of "orders" is read
    Then it is refused with AccessDeniedException because "dynamodb:GetItem"

  @SV-I3.attributes @needs:commands
  Scenario: A user who may read some attributes cannot read all
    When "bob" assumes the role "partner" for 15 minutes
    And the attributes "customer" of the item {"customer": "carol", "id": "1"} of "orders" are read
    Then it is {"customer": "carol"}
    When the attributes "customer, card" of the item {"customer": "carol", "id": "1"} of "orders" are read
    Then it is refused with AccessDeniedException because "dynamodb:GetItem"

  @SV-I4.policies @needs:commands
  Scenario: A reader cannot write
    When "carol" assumes the role "reader" for 15 minutes
    And the item {"customer": "carol", "id": "1"} of "orders" is read
    Then it is {"customer": "carol", "id": "1", "name": "Carol"}
    When the item {"customer": "carol", "id": "2"} is put into "orders"
    Then it is refused with AccessDeniedException because "User: arn:aws:sts::123456789012:assumed-role/reader/carol is not authorized to perform: dynamodb:PutItem"

  @SV-I4.trust @needs:commands
  Scenario: A role can only be assumed by those whom it trusts
    When "bob" assumes the role "reader" for 15 minutes
    Then it is refused with AccessDenied because "User: arn:aws:iam::123456789012:user/bob is not authorized to perform: sts:AssumeRole on resource: arn:aws:iam::123456789012:role/reader"

  @SV-I1.expired @SV-I4.ends @needs:commands
  Scenario: A session expires
    Given "carol" assumes the role "reader" for 15 minutes
    When 14 minutes pass
    And the item {"customer": "carol", "id": "1"} of "orders" is read
    Then it succeeds
    When 1 minute passes
    And the item {"customer": "carol", "id": "1"} of "orders" is read
    Then it is refused with ExpiredTokenException because "The security token included in the request is expired"

  @SV-I5.allowed @SV-I5.denied @needs:commands
  Scenario: A resource policy allows one user and denies another
    Given the table "orders" has the policy
      """
      {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::123456789012:user/dan"}, "Action": "dynamodb:GetItem", "Resource": "*"},
        {"Effect": "Deny", "Principal": {"AWS": "arn:aws:iam::123456789012:user/carol"}, "Action": "dynamodb:GetItem", "Resource": "*"}]}
      """
    When the requests are signed by "dan"
    And the item {"customer": "carol", "id": "1"} of "orders" is read
    Then it succeeds
    When the requests are signed by "carol"
    And the item {"customer": "carol", "id": "1"} of "orders" is read
    Then it is refused with AccessDeniedException because "with an explicit deny in a resource-based policy"

  @SV-I6 @needs:commands
  Scenario: Each account has its own tables
    When the requests are signed by "210987654321/eve"
    Then there are no tables
    When the item {"customer": "bob", "id": "1"} of "orders" is read
    Then it is refused with ResourceNotFoundException

  @SV-I7.added @SV-I7.secret @SV-I7.removed @needs:commands
  Scenario: A user is added through the admin API
    When PUT /_tabletop/identities/123456789012/users/fay is sent with {"policies": ["ReadOnly"]}
    Then the emulator responds with 200 and shows "arn:aws:iam::123456789012:user/fay"
    When POST /_tabletop/identities/123456789012/users/fay/keys is sent
    Then the emulator responds with 201 and shows "secret"
    When the requests are signed with the new access key
    And the item {"customer": "carol", "id": "1"} of "orders" is read
    Then it is {"customer": "carol", "id": "1", "name": "Carol"}
    When the item {"customer": "carol", "id": "1"} of "orders" is deleted
    Then it is refused with AccessDeniedException because "dynamodb:DeleteItem"
    When GET /_tabletop/identities is sent
    Then the emulator responds with 200 and shows "fay"
    But the emulator does not show "secret"
    And the emulator does not show the secret of the new access key
    When DELETE /_tabletop/identities/123456789012/users/fay is sent
    Then the emulator responds with 204
    When the item {"customer": "carol", "id": "1"} of "orders" is read
    Then it is refused with UnrecognizedClientException
