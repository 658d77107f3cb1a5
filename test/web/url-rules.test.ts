import { describe, expect, test } from '@jest/globals';
import { domainRulesSchema } from '../../domain/web/schema.ts';
import { anyDomain, domainAllowed, fetchableUrl } from '../../domain/web/url-rules.ts';

describe('an address to fetch', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['http://EXAMPLE.com:80/a?b=c#d', 'http://example.com/a?b=c'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
  ])('%s is %s', (raw, url) => {
    expect(fetchableUrl(raw, { domains: anyDomain })).toEqual({ url });
  });

  test.each([
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['data:text/html,hello', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['gopher://example.com:70/', 'scheme'],
    ['https://user:secret@example.com/', 'credentials'],
    ['https://example.com:8443/', 'port'],
    ['http://example.com:22/', 'port'],
    ['example.com', 'malformed'],
    ['https://', 'malformed'],
    ['http://exa mple.com/', 'malformed'],
    ['https://ads.example.net/', 'domain'],
  ])('%s is refused for its %s', (raw, refused) => {
    expect(fetchableUrl(raw, { domains: { allowed: [], blocked: ['ads.example.net'] } })).toEqual({ refused });
  });
});

describe('domain rules', () => {
  test.each([
    ['example.com', true],
    ['docs.example.com', true],
    ['example.com.', true],
    ['evil-example.com', false],
    ['example.com.evil.net', false],
    ['internal.example.com', false],
    ['a.internal.example.com', false],
    ['xn--bcher-kva.example', true],
  ])('%s is allowed: %s', (host, allowed) => {
    const rules = { allowed: ['Example.com', 'bücher.example'], blocked: ['internal.example.com'] };
    expect(domainAllowed(host, rules)).toBe(allowed);
  });

  test.each(['https://example.com', '*.example.com', 'example..com', '-a.com', 'a b.com', ''])(
    'no domain is %j',
    (name) => {
      expect(domainRulesSchema.safeParse({ allowed: [name], blocked: [] }).success).toBe(false);
    },
  );
});
