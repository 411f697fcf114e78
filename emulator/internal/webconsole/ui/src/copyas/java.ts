import { payload, typeOf, type AttributeValue, type Item } from '../values/attribute'
import type { Request } from '../values/filter'
import type { Endpoint } from './copyas'
import { elements, entries, isWriteBatch, itemType, members } from './nested'
import { quote } from './quote'

/** asJava is a program for the AWS SDK for Java v2. */
export function asJava(request: Request, at: Endpoint): string {
  const { operation, input } = request
  const setters = Object.entries(input).map(([name, value]) => `            .${lower(name)}(${argument(name, value)})`)
  return `import java.net.URI;
import java.util.*;
import software.amazon.awssdk.auth.credentials.*;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.*;

class Main {
  public static void main(String[] args) {
    try (var client = DynamoDbClient.builder()
        .endpointOverride(URI.create(${quote(at.endpoint)}))
        .region(Region.of(${quote(at.region)}))
        .credentialsProvider(StaticCredentialsProvider.create(
            AwsBasicCredentials.create(${quote(at.accessKeyId)}, ${quote(at.secretAccessKey || '…')})))
        .build()) {
      var response = client.${lower(operation)}(${operation}Request.builder()
${setters.join('\n')}
            .build());
      System.out.println(response);
    }
  }
}
`
}

function argument(name: string, value: unknown): string {
  switch (name) {
    case 'Item': case 'Key': case 'ExclusiveStartKey': case 'ExpressionAttributeValues': return map(value as Item)
    case 'TransactItems': return `List.of(${elements(value).map((v) => structures(itemType(value), v)).join(', ')})`
    case 'RequestItems': return requestItems(value)
    case 'Keys': return list(elements(value).map((key) => map(key as Item)))
    case 'Parameters': return `List.of(${(value as AttributeValue[]).map(attributeValue).join(', ')})`
    case 'ExpressionAttributeNames': return ofEntries(Object.entries(value as object).map(([k, v]) => [k, quote(v as string)]))
  }
  if (Array.isArray(value)) return `List.of(${value.map((v) => argument('', v)).join(', ')})`
  if (typeof value === 'object') return quote(JSON.stringify(value))
  return typeof value === 'string' ? quote(value) : String(value)
}

function requestItems(value: unknown): string {
  const requests = (v: unknown) => (isWriteBatch(value) ? list(elements(v).map((r) => structures('WriteRequest', r))) : structure('KeysAndAttributes', v))
  return ofEntries(entries(value).map(([table, v]) => [table, requests(v)]))
}

/** structures is a structure whose members are structures with the types of their names. */
function structures(type: string, value: unknown): string {
  return `${type}.builder()${members(value).map(([name, v]) => `.${lower(name)}(${structure(name, v)})`).join('')}.build()`
}

function structure(type: string, value: unknown): string {
  return `${type}.builder()${members(value).map(([name, v]) => `.${lower(name)}(${argument(name, v)})`).join('')}.build()`
}

function map(item: Item): string {
  return ofEntries(Object.entries(item).map(([name, v]) => [name, attributeValue(v)]))
}

function ofEntries(entries: [string, string][]): string {
  return `Map.ofEntries(${entries.map(([k, v]) => `Map.entry(${quote(k)}, ${v})`).join(', ')})`
}

function attributeValue(value: AttributeValue): string {
  const content = payload(value)
  switch (typeOf(value)) {
    case 'S': return `AttributeValue.fromS(${quote(content as string)})`
    case 'N': return `AttributeValue.fromN(${quote(content as string)})`
    case 'BOOL': return `AttributeValue.fromBool(${content === true})`
    case 'NULL': return 'AttributeValue.fromNul(true)'
    case 'B': return `AttributeValue.fromB(${binary(content as string)})`
    case 'SS': return `AttributeValue.fromSs(${list((content as string[]).map(quote))})`
    case 'NS': return `AttributeValue.fromNs(${list((content as string[]).map(quote))})`
    case 'BS': return `AttributeValue.fromBs(${list((content as string[]).map(binary))})`
    case 'L': return `AttributeValue.fromL(${list((content as AttributeValue[]).map(attributeValue))})`
    case 'M': return `AttributeValue.fromM(${map(content as Item)})`
  }
}

function list(elements: string[]): string {
  return `List.of(${elements.join(', ')})`
}

function binary(base64: string): string {
  return `SdkBytes.fromByteArray(Base64.getDecoder().decode(${quote(base64)}))`
}

function lower(name: string): string {
  return name[0]!.toLowerCase() + name.slice(1)
}
