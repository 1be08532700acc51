/** The window's language: the chosen one, or the system's. */
import { useLayoutEffect, useRef } from 'react';
import { type Language, languageOf } from '../../../../contract/language.ts';
import { useAppState, usePlatform } from '../../store/context.ts';
import { setLanguage } from '../../strings.ts';

/**
 * Sets the language of `strings` for all that is rendered below, and returns it. What had the focus has it again after
 * the caller has mounted everything anew, if it has an id.
 */
export function useLanguage(): Language {
  const { locale, language: atStart } = usePlatform();
  const chosen = useAppState((state) => state.settings?.language);
  const language = chosen === undefined ? atStart : languageOf(chosen, locale);
  const last = useRef({ language, focusId: '' });
  if (last.current.language !== language) last.current = { language, focusId: document.activeElement?.id ?? '' };
  setLanguage(language);
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    document.getElementById(last.current.focusId)?.focus();
  }, [language]);
  return language;
}
