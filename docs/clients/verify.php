<?php
// The body is the bytes of the request, before anything parses them.
function isGenuine(string $secret, array $headers, string $body): bool
{
    $id = $headers['webhook-id'];
    $sent = $headers['webhook-timestamp'];
    if (abs(time() - (int) $sent) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $digest = hash_hmac('sha256', "$id.$sent.$body", $key, true);
    $expected = 'v1,' . base64_encode($digest);
    foreach (explode(' ', $headers['webhook-signature']) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}
