import type { Element } from 'hast';
import { stringProperty } from './elements.ts';
import type { Style } from './style.ts';

const neverShown = new Set(
  (
    'script style template noscript head link meta base title iframe object embed applet param canvas audio video source track ' +
    'map svg button select textarea datalist progress meter rt rp frame frameset noframes portal'
  ).split(' '),
);
const visuallyHiddenClasses = new Set(['sr-only', 'visually-hidden', 'visuallyhidden', 'screen-reader-text']);

/** What text inherits from the elements around it and what decides whether it can be seen. */
export interface Inherited {
  /** Background colour set by the nearest ancestor; null: the page's own. */
  background: string | null;
  ink: string | null;
  /** Letters of no size. */
  tiny: boolean;
  /** `visibility: hidden`, which an element inside may undo. */
  invisible: boolean;
}

export function inheritedBy(element: Element, style: Style, outer: Inherited): Inherited {
  const background = style.get('background-color') ?? style.get('background') ?? attribute(element, 'bgColor');
  const ink = style.get('color') ?? attribute(element, 'color');
  const size = fontSize(style);
  const visibility = style.get('visibility');
  return {
    background: colour(background) ?? outer.background,
    ink: colour(ink) ?? outer.ink,
    tiny: size === null ? outer.tiny : size <= 1,
    invisible: visibility === undefined || visibility === 'inherit' ? outer.invisible : visibility !== 'visible',
  };
}

/** Whether text with these properties can be seen. `styled`: the page has style sheets, so that white text may well stand on something dark. */
export function isLegible({ background, ink, tiny, invisible }: Inherited, styled: boolean): boolean {
  if (tiny || invisible || ink === 'transparent') return false;
  if (background === null) return ink !== 'white' || styled;
  return ink !== background;
}

/** Text that its author struck out: it no longer holds, so it must not be quoted. */
export function isStruckOut(element: Element, style: Style): boolean {
  const decoration = style.get('text-decoration') ?? style.get('text-decoration-line') ?? '';
  return ['del', 's', 'strike'].includes(element.tagName) || decoration.includes('line-through');
}

/** True for elements that a reader of the page does not see, with all that is in them, and for those that hold no text of the page. */
export function isUnseen(element: Element, style: Style): boolean {
  if (neverShown.has(element.tagName)) return true;
  const { properties } = element;
  if (properties.hidden !== undefined && properties.hidden !== null && properties.hidden !== false) return true;
  if (stringProperty(element, 'ariaHidden') === 'true') return true;
  if (element.tagName === 'dialog' && !properties.open) return true;
  if (element.tagName === 'input' && stringProperty(element, 'type') !== 'checkbox') return true;
  if (properties.dataFootnoteBackref !== undefined || properties.dataFootnoteRef !== undefined) return true;
  if (
    stringProperty(element, 'className')
      .split(' ')
      .some((name) => visuallyHiddenClasses.has(name))
  )
    return true;
  return hidesAll(style);
}

function hidesAll(style: Style): boolean {
  const opacity = style.get('opacity');
  const clipped =
    ['hidden', 'clip'].includes(style.get('overflow') ?? '') &&
    ['width', 'height', 'max-height', 'max-width'].some((name) => (pixels(style.get(name)) ?? 9) <= 1);
  return (
    style.get('display') === 'none' ||
    style.get('content-visibility') === 'hidden' ||
    (opacity !== undefined && Number.parseFloat(opacity) < (opacity.endsWith('%') ? 5 : 0.05)) ||
    ['left', 'top', 'right', 'bottom', 'text-indent', 'margin-left', 'margin-top'].some(
      (name) => (pixels(style.get(name)) ?? 0) <= -500,
    ) ||
    clipped ||
    /^rect\(\s*(0|1px)/.test(style.get('clip') ?? '') ||
    /^inset\(\s*(50|100)%/.test(style.get('clip-path') ?? '') ||
    /scale[xy]?\(\s*0\s*[,)]|translate[xy]?\(\s*-\d{3,}/.test(style.get('transform') ?? '')
  );
}

function attribute(element: Element, name: string): string | undefined {
  return stringProperty(element, name).toLowerCase() || undefined;
}

function fontSize(style: Style): number | null {
  return pixels(
    style.get('font-size') ?? /(?:^|\s)([\d.]+(?:px|pt|em|rem))(?:\/|\s)/.exec(style.get('font') ?? '')?.[1],
  );
}

function pixels(value: string | undefined): number | null {
  const match = /^(-?[\d.]+)(px|pt|em|rem|%|vw|vh|)$/.exec(value ?? '');
  if (match === null) return null;
  const scale = match[2] === 'em' || match[2] === 'rem' ? 16 : 1;
  return Number(match[1]) * scale;
}

/** Colours that differ only in spelling compare equal. */
function colour(value: string | undefined): string | null {
  if (value === undefined || value === '' || value === 'inherit') return null;
  const compact = value.replace(/\s+/g, '');
  if (/^(#f{3,4}|#f{6}|#f{8}|white|rgba?\(255,255,255(,1(\.0+)?)?\)|hsla?\(.*,100%(,1(\.0+)?)?\))$/.test(compact))
    return 'white';
  if (/^(#0{3}|#0{6}|black|rgba?\(0,0,0(,1(\.0+)?)?\))$/.test(compact)) return 'black';
  if (/^(transparent|rgba\(\d+,\d+,\d+,0(\.0+)?\))$/.test(compact)) return 'transparent';
  return compact;
}
