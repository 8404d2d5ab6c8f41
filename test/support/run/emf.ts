import { Ajv } from 'ajv';

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });

const units =
  '^(Seconds|Microseconds|Milliseconds|Bytes|Kilobytes|Megabytes|Gigabytes|Terabytes|Bits|Kilobits|Megabits|Gigabits|' +
  'Terabits|Percent|Count|Bytes/Second|Kilobytes/Second|Megabytes/Second|Gigabytes/Second|Terabytes/Second|Bits/Second|' +
  'Kilobits/Second|Megabits/Second|Gigabits/Second|Terabits/Second|Count/Second|None)$';

/**
 * The embedded metric format as CloudWatch specifies it. Members that CloudWatch would ignore are not allowed.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
const metadata = {
  type: 'object',
  required: ['Timestamp', 'CloudWatchMetrics'],
  additionalProperties: false,
  properties: {
    Timestamp: { type: 'integer', minimum: 0 },
    CloudWatchMetrics: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['Namespace', 'Dimensions', 'Metrics'],
        additionalProperties: false,
        properties: {
          // The rules of PutMetricData apply:
          // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html
          Namespace: { ...text(255), pattern: '^(?!AWS/)[\\w.#:/-]+$' },
          Dimensions: {
            type: 'array',
            minItems: 1,
            items: { type: 'array', maxItems: 30, uniqueItems: true, items: text(250) },
          },
          Metrics: {
            type: 'array',
            minItems: 1,
            maxItems: 100,
            items: {
              type: 'object',
              required: ['Name'],
              additionalProperties: false,
              properties: {
                Name: text(1024),
                Unit: { type: 'string', pattern: units },
                StorageResolution: { enum: [1, 60] },
              },
            },
          },
        },
      },
    },
  },
};

const isMetadata = new Ajv({ allErrors: true }).compile<{
  CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[];
}>(metadata);

/**
 * The values that a dimension may have. Each value costs money, so a dimension must not hold values without a bound,
 * such as ids. A function that was not called through an alias has the version `$LATEST`.
 */
const boundedValue = /^([a-zA-Z0-9_]{1,40}|\$LATEST)$/;

/** Why CloudWatch would make no metrics, or wrong ones, from a line with `_aws`. */
export function emfProblems(line: Record<string, unknown>): string[] {
  const { _aws } = line;
  if (!isMetadata(_aws))
    return (isMetadata.errors ?? []).map(({ instancePath, message }) => `_aws${instancePath} ${message}`);
  return _aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) => [
    ...Dimensions.flat()
      .filter((name) => typeof line[name] !== 'string' || !boundedValue.test(line[name]))
      .map((name) => `the dimension ${name} is ${line[name]}`),
    ...Metrics.filter(({ Name }) => !Number.isFinite(line[Name])).map(
      ({ Name }) => `the metric ${Name} is ${line[Name]}`,
    ),
  ]);
}
