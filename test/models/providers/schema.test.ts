import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { toProviderSchema } from '../../../adapters/models/provider-schema.ts';

test('bounds, lengths and patterns go into the description; objects are closed and all their properties required', () => {
  const schema = z.object({
    grades: z
      .array(z.object({ id: z.int(), score: z.number().min(0).max(1), label: z.enum(['yes', 'no']) }))
      .min(1)
      .max(8),
    note: z
      .string()
      .max(200)
      .regex(/^[a-z]+$/)
      .nullable()
      .describe('In one line.'),
    kind: z.literal('grade'),
    page: z.int().min(1).optional(),
  });
  expect(toProviderSchema(z.toJSONSchema(schema))).toEqual({
    type: 'object',
    properties: {
      grades: {
        type: 'array',
        description: '(minItems: 1, maxItems: 8)',
        items: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            score: { type: 'number', description: '(minimum: 0, maximum: 1)' },
            label: { type: 'string', enum: ['yes', 'no'] },
          },
          required: ['id', 'score', 'label'],
          additionalProperties: false,
        },
      },
      note: {
        description: 'In one line.',
        anyOf: [{ type: 'string', description: '(maxLength: 200, pattern: "^[a-z]+$")' }, { type: 'null' }],
      },
      kind: { type: 'string', enum: ['grade'] },
      page: { type: 'integer', description: '(minimum: 1)' },
    },
    required: ['grades', 'note', 'kind', 'page'],
    additionalProperties: false,
  });
});

test('definitions and unions keep their form', () => {
  const leaf = z.object({ text: z.string().min(1) }).meta({ id: 'leaf' });
  const schema = z.object({ either: z.union([leaf, z.null()]), also: leaf });
  const json = toProviderSchema(z.toJSONSchema(schema));
  expect(json).toMatchObject({
    $defs: { leaf: { type: 'object', required: ['text'], additionalProperties: false } },
    properties: { either: { anyOf: [{ $ref: '#/$defs/leaf' }, { type: 'null' }] }, also: { $ref: '#/$defs/leaf' } },
  });
  expect(JSON.stringify(json)).not.toContain('"minLength":');
});
